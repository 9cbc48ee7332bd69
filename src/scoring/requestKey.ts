import { engine } from '../replay/engine';
import type { Piece, ReplayRequest } from '../replay/requests';
import type { PolicyIdentity } from './scorer';
import { Digests, sha256 } from './textDigest';

/** From here on a text stands in a key by its digest, UTF-16 code units; ids from as many on. */
const long = 256;

function canonicalPiece(piece: Piece, digests: Digests): unknown {
  const short = (text: string): unknown => (text.length > long ? { sha256: digests.text(text) } : text);
  if ('chat' in piece) return ['chat', ...piece.chat.map(({ role, content }) => [role, short(content)])];
  if ('stripped' in piece) return ['stripped', short(piece.stripped)];
  if ('ids' in piece) return ['ids', piece.ids.length > long ? { sha256: digests.ids(piece.ids) } : piece.ids, piece.text === undefined ? null : short(piece.text)];
  return ['text', short(piece.text)];
}

function canonicalRequest(request: ReplayRequest, digests: Digests): unknown {
  const context = request.context.map((piece) => canonicalPiece(piece, digests));
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
 * @param digests of what other requests of the same trajectory held
 */
export function keyOf(request: ReplayRequest, { hash, device, dtype, activations }: PolicyIdentity, digests = new Digests()): string {
  return sha256(JSON.stringify([engine, hash, device, dtype, activations, canonicalRequest(request, digests)]));
}
