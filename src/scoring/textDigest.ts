import { createHash } from 'node:crypto';
import type { TokenIds } from '../replay/requests';

/** UTF-16 code units that are hashed at once. */
const blockSize = 1 << 16;

/**
 * SHA-256 of the texts and ids of one trajectory's requests, which are alike: each state begins with the one before, and every context holds the
 * observations of the others. Where an earlier text had the same at the same place, comparing says so, many times faster than hashing.
 */
export class Digests {
  private readonly ofTexts = new Map<string, string>();
  private readonly ofIds = new Map<TokenIds, string>();
  private last: { readonly text: string; readonly blocks: readonly string[] } = { text: '', blocks: [] };

  text(text: string): string {
    const known = this.ofTexts.get(text);
    if (known !== undefined) return known;
    const blocks: string[] = [];
    for (let at = 0; at < text.length; at += blockSize) blocks.push(this.block(text, at));
    this.last = { text, blocks };
    const digest = sha256(blocks.join(''));
    this.ofTexts.set(text, digest);
    return digest;
  }

  /** Of the list that the trajectory holds: the same object in every request. */
  ids(ids: TokenIds): string {
    const known = this.ofIds.get(ids);
    if (known !== undefined) return known;
    const digest = sha256(ids.join());
    this.ofIds.set(ids, digest);
    return digest;
  }

  private block(text: string, at: number): string {
    const block = text.slice(at, at + blockSize);
    const before = this.last.blocks[at / blockSize];
    if (before !== undefined && this.last.text.slice(at, at + blockSize) === block) return before;
    // UTF-8 would make the same bytes of every lone surrogate.
    return createHash('sha256').update(block, 'utf16le').digest('hex');
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
