import * as vscode from 'vscode';
import { savedScores } from '../scoring/savedScores';
import type { Dialect } from '../trajectory/dialect';
import { writeNative } from '../trajectory/write';
import { writeAtif } from '../trajectory/writeAtif';
import type { Commands } from './commands';
import { commands, trajectoryNames } from './ids';
import type { Target } from './rescore';
import type { Resolver } from './resolve';
import { fileName } from './rollout';
import type { ScoreBook } from './scoreBook';
import { name } from './sources';
import { openUntitled } from './untitled';

/** A record out of its file, as an unsaved document: a `.traj` to be edited, or ATIF with everything beside it and its scores. */
export function registerSaveCommands(register: Commands, resolver: Resolver, book: ScoreBook, dialects: () => readonly Dialect[]): vscode.Disposable {
  const save = (extension: string, write: (target: Target) => string) => async (uri?: vscode.Uri, record?: unknown) => {
    const target = await resolver.target(await resolver.rollout(uri, typeof record === 'number' ? record : undefined));
    if (target) await openUntitled(nameOf(target, extension), write(target));
  };
  return vscode.Disposable.from(
    register.add(commands.saveAsTraj, save('.traj', ({ trajectory }) => writeNative(trajectory, dialects()))),
    register.add(commands.saveAsAtif, save('.trajectory.json', ({ rollout, trajectory }) => {
      const shown = book.get(rollout);
      // Figures of a text that has changed since belong to no document.
      const scores = shown?.freshness === 'fresh' ? { scores: savedScores(trajectory, shown.scores) } : {};
      return writeAtif(trajectory, { dialects: dialects(), ...scores });
    })),
  );
}

function nameOf({ rollout: { source, record, line } }: Target, extension: string): string {
  const stem = name(vscode.Uri.parse(source)).replace(trajectoryNames, '').replace(/\.trajectory$/, '');
  return `${stem}-${record}${line === undefined ? '' : `-${fileName(line)}`}${extension}`;
}
