import { expect, test, vi } from 'vitest';
import type { Request, ToPage } from '../../../src/panel/contract';
import { Panel } from '../../../src/panel/panel';
import type { Subject } from '../../../src/panel/snapshot';
import { EventEmitter } from '../../support/fakeVscode';
import { makeTrajectory } from '../../support/makeTrajectory';

vi.mock('vscode', () => import('../../support/fakeVscode'));

const make = Panel as unknown as new (...parts: readonly unknown[]) => { deserializeWebviewPanel(panel: unknown): Promise<void> };

test('what is sent in the moment of an answer comes to the page after it', async () => {
  const inFront: Subject[] = [];
  const [changed, asked, other] = [new EventEmitter<void>(), new EventEmitter<Request>(), new EventEmitter<void>()];
  const posted: ToPage[] = [];
  const webview = { onDidReceiveMessage: asked.event, asWebviewUri: String, cspSource: '', postMessage: (message: ToPage) => posted.push(message) };
  const panel = new make('', { subject: () => inFront[0], onDidChange: changed.event });
  await panel.deserializeWebviewPanel({ webview, visible: true, onDidChangeViewState: other.event, onDidDispose: other.event });

  asked.fire({ id: 1, method: 'snapshot', params: null });
  // Not a moment later: what a slow host is told comes all at once.
  inFront.push({ document: 'file:///a', title: 'a', trajectory: makeTrajectory({ turns: [] }), stale: false });
  changed.fire();
  await new Promise((resume) => setTimeout(resume));
  expect(posted.map((message) => (message.kind === 'answer' ? message.result : message))).toMatchObject([{ kind: 'empty' }, { kind: 'snapshot', snapshot: { kind: 'trajectory' } }]);
});
