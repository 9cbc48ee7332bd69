import type * as vscode from 'vscode';
import type { Node } from './nodes';

type Tree = Pick<vscode.TreeView<Node>, 'reveal' | 'selection' | 'onDidExpandElement' | 'onDidCollapseElement'>;

const mostTries = 20;

/**
 * Moves the tree to one of its lines, and opens that of a file. A tree that is drawn anew meanwhile loses what it was told, without a word: it is told
 * until the line is selected, or another one is asked for. It takes the keyboard only while the user waits for it: later they may be typing elsewhere.
 */
export class Mover {
  /** Resolves when the tree has moved; nobody draws it anew before. */
  moved: Promise<void> = Promise.resolve();
  /** Sources of the files whose lines are open. */
  private readonly open = new Set<string>();
  /** What was asked for last. */
  private wanted: Node | undefined;

  constructor(private readonly tree: Tree) {
    tree.onDidExpandElement(({ element }) => element.kind === 'file' && this.open.add(element.source));
    tree.onDidCollapseElement(({ element }) => element.kind === 'file' && this.open.delete(element.source));
  }

  /**
   * Rejects where the tree does so to the last.
   * @param isAwaited whether the user waits for it
   */
  async to(node: Node, isAwaited: () => boolean): Promise<void> {
    this.wanted = node;
    const moving = this.move(node, isAwaited);
    this.moved = moving.catch(() => undefined);
    return moving;
  }

  /** The file's line is gone; where it comes back, it is closed. */
  forget(source: string): void {
    this.open.delete(source);
  }

  private async move(node: Node, isAwaited: () => boolean): Promise<void> {
    for (let tries = 1; this.wanted === node; tries++) {
      try {
        await this.tree.reveal(node, { expand: node.kind === 'file', focus: isAwaited(), select: true });
      } catch (e) {
        if (tries === mostTries) throw e;
      }
      if (tries === mostTries || this.isAt(node)) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }

  private isAt(node: Node): boolean {
    return this.tree.selection.some((selected) => isSame(selected, node)) && (node.kind !== 'file' || this.open.has(node.source));
  }
}

const isSame = (a: Node, b: Node): boolean => a.kind !== 'note' && b.kind !== 'note' && a.kind === b.kind && a.source === b.source && a.record === b.record && lineOf(a) === lineOf(b);

const lineOf = (node: Node): string | undefined => (node.kind === 'line' ? node.row.line : undefined);
