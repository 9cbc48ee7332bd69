import type { Memento } from 'vscode';

const key = 'clearedFiles';
const mostKept = 200;

/** Files whose scores the user cleared: not even the cache shows them again before they are scored, in this session or a later one. */
export class ClearedFiles {
  constructor(private readonly memento: Memento) {}

  has(source: string): boolean {
    return this.all().includes(source);
  }

  add(source: string): void {
    void this.memento.update(key, [source, ...this.all().filter((s) => s !== source)].slice(0, mostKept));
  }

  delete(source: string): void {
    if (this.has(source)) void this.memento.update(key, this.all().filter((s) => s !== source));
  }

  private all(): string[] {
    return this.memento.get<string[]>(key, []);
  }
}
