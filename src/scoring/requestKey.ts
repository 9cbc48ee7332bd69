import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Piece, ReplayRequest } from '../replay/requests';
import type { PolicyIdentity } from './scorer';

/** Counted up when the same request would be answered otherwise than before. */
const engine = 1;

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** From here on a text stands in a key by its digest, UTF-16 code units. */
const longText = 256;

/** The contexts of one trajectory are made of the same texts, each of them once for every turn. */
const digests = new LRUCache<string, string>({ maxSize: 16 * 2 ** 20, sizeCalculation: (_digest, text) => text.length });

function digestOf(text: string): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = sha256(text);
  digests.set(text, digest);
  return digest;
}

function canonicalPiece(piece: Piece): unknown {
  if ('chat' in piece) return ['chat', ...piece.chat.map(({ role, content }) => [role, content])];
  if ('stripped' in piece) return ['stripped', piece.stripped];
  if ('ids' in piece) return ['ids', piece.ids, piece.text ?? null];
  return ['text', piece.text.length > longText ? { sha256: digestOf(piece.text) } : piece.text];
}

function canonicalRequest(request: ReplayRequest): unknown {
  const context = request.context.map(canonicalPiece);
  if (request.kind === 'answer') return ['answer', context, request.stop, request.maxTokens];
  return [
    'likelihood',
    context,
    request.target,
    request.scored.map(({ start, end }) => [start, end]),
    request.want.toSorted(),
    request.keepLast ?? null,
    ...(request.written ? [request.written] : []),
  ];
}

/**
 * What a result is kept under: SHA-256 over the request's pieces as text (recorded ids as ids), the policy's hash and how its numbers are made.
 * Of the contract, the parts that a request used are in its pieces already. Needs no policy.
 */
export function keyOf(request: ReplayRequest, { hash, device, dtype, activations }: PolicyIdentity): string {
  return sha256([engine, hash, device, dtype, activations, canonicalRequest(request)]);
}
