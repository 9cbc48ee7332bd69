import type { Method, Request, Requests, Snapshot, ToPage } from '../src/panel/contract';
import type { Kept } from './selection';

interface Api {
  postMessage(message: Request): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
}

declare const acquireVsCodeApi: () => Api;

/** The page's end of the contract. */
export class Host {
  private readonly api = acquireVsCodeApi();
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private last = 0;

  /** @param shown called with each snapshot that the host sends unasked */
  constructor(shown: (snapshot: Snapshot) => void) {
    window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'snapshot') return shown(data.snapshot);
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.kind === 'answer') waiting?.resolve(data.result);
      else waiting?.reject(new Error(data.message));
    });
  }

  request<M extends Method>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as Requests[M]['result']), reject });
      this.api.postMessage({ id, method, params } as Request);
    });
  }

  /** What VS Code keeps of the page while it is hidden, and over a reload. */
  get kept(): Kept | undefined {
    return this.api.getState();
  }

  keep(kept: Kept): void {
    this.api.setState(kept);
  }
}
