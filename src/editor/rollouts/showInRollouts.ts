import * as vscode from 'vscode';
import type { Rollout } from '../rollout';
import { name } from '../sources';
import { unfiltered } from './arrange';
import type { RolloutsView } from './view';

/** Moves the view to a file, and to a rollout of it; where that is not listed, says why, and offers what lists it. */
export async function showInRollouts(view: RolloutsView, uri: vscode.Uri, rollout?: Rollout): Promise<void> {
  const hidden = await view.reveal(uri, rollout);
  const way = rollout && hidden && wayTo(view, uri, rollout.record, hidden);
  if (!way) return;
  const choice = await vscode.window.showInformationMessage(way.sentence, ...(way.button === undefined ? [] : [way.button]));
  if (choice === undefined || choice !== way.button) return;
  way.go();
  await showInRollouts(view, uri, rollout);
}

interface Way {
  readonly sentence: string;
  readonly button?: string;
  readonly go: () => void;
}

/** `undefined`: the file's line says it. */
function wayTo(view: RolloutsView, uri: vscode.Uri, record: number, hidden: 'filtered' | 'unread'): Way | undefined {
  const rollout = `record ${record} of ${name(uri)}`;
  if (hidden === 'filtered') return { sentence: `The filter hides ${rollout}.`, button: 'Show All Rollouts', go: () => (view.arrangement = unfiltered(view.arrangement)) };
  const listing = view.listing(uri.toString());
  const { progress } = listing;
  if (progress.kind === 'partial') {
    return { sentence: `The list does not reach ${rollout} yet: ${progress.read} of ${progress.of} are read.`, button: 'Read More Rollouts', go: () => listing.more() };
  }
  return progress.kind === 'read' ? { sentence: `${name(uri)} has no record ${record}; it holds ${listing.rows.length}.`, go: () => undefined } : undefined;
}
