import { fork, type ChildProcess } from 'node:child_process';

export interface PeerResult {
  readonly ms: number;
  /** User and system, milliseconds. */
  readonly cpu: number;
  readonly results: readonly ({ readonly logprobs: readonly number[] } | { readonly ids: readonly number[] })[];
}

/** One of peers/, loaded and waiting. */
export interface Peer {
  /** Bytes of keys and values for each token of a context. */
  readonly columnBytes: number;
  run(requestsFile: string): Promise<PeerResult>;
  close(): void;
}

export async function startPeer(script: string, name: 'naive' | 'bareForks', policy: string, graph?: string): Promise<Peer> {
  const child = fork(script, [name, policy, ...(graph === undefined ? [] : [graph])], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { columnBytes } = (await answer(child)) as Pick<Peer, 'columnBytes'>;
  return {
    columnBytes,
    async run(requests) {
      child.send({ requests });
      return (await answer(child)) as PeerResult;
    },
    close: () => child.disconnect(),
  };
}

function answer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null): void => reject(new Error(`a peer ended with ${code ?? 'a signal'}`));
    child.once('exit', died);
    child.once('message', (message) => {
      child.off('exit', died);
      resolve(message);
    });
  });
}
