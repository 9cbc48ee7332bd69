/**
 * How a request is answered: encoding, the edits of a policy's graph, runs and decoding. Counted up when a request would be answered otherwise than before,
 * or a device would fare otherwise: results and verdicts about devices are kept under it.
 */
export const engine = 3;
