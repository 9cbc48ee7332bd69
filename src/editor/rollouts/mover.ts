import type * as vscode from 'vscode';
import type { Node } from './nodes';

const mostTries = 20;

/** Moves the tree to one of its lines, and opens that of a file. A tree that is drawn anew meanwhile loses what it was told to reveal, without a word: it is told until the line is selected. */
export class Mover {
  /** Resolves when the tree has moved; nobody draws it anew before. */
  moved: Promise<void> = Promise.resolve();

  constructor(private readonly tree: vscode.TreeView<Node>) {}

  /** Rejects where the tree does so to the last. */
  async to(node: Node): Promise<void> {
    const moving = this.move(node);
    this.moved = moving.catch(() => undefined);
    await moving;
  }

  private async move(node: Node): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.tree.reveal(node, { expand: node.kind === 'file', focus: true, select: true });
      } catch (e) {
        if (tries === mostTries) throw e;
      }
      if (tries === mostTries || this.tree.selection.some((selected) => isSame(selected, node))) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
}

const isSame = (a: Node, b: Node): boolean => a.kind !== 'note' && b.kind !== 'note' && a.kind === b.kind && a.source === b.source && a.record === b.record;
