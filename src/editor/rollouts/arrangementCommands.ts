import * as vscode from 'vscode';
import type { Condition, SortKey } from './arrange';
import { conditionWords, sortWords } from './arrangementWords';
import type { RolloutsView } from './view';

type Arranged = Pick<RolloutsView, 'arrangement'>;

export async function sort(view: Arranged): Promise<void> {
  const { arrangement } = view;
  const items = (Object.keys(sortWords) as SortKey[]).flatMap((key) =>
    (['ascending', 'descending'] as const).map((order) => {
      const isCurrent = key === arrangement.sort && order === arrangement.order;
      return { key, order, label: sortWords[key], description: `${order}${isCurrent ? ' (now)' : ''}` };
    }),
  );
  const chosen = await vscode.window.showQuickPick(items, { title: 'Sort rollouts by', matchOnDescription: true });
  if (chosen) view.arrangement = { ...view.arrangement, sort: chosen.key, order: chosen.order };
}

export async function filterByConditions(view: Arranged): Promise<void> {
  const { conditions } = view.arrangement;
  const items = (Object.keys(conditionWords) as Condition[]).map((condition) => ({ condition, label: conditionWords[condition], picked: conditions.includes(condition) }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Show rollouts where all of these hold', canPickMany: true });
  if (chosen) view.arrangement = { ...view.arrangement, conditions: chosen.map(({ condition }) => condition) };
}

/** A moment after the last key, in milliseconds. */
const pause = 200;

/** The view follows what is typed; Escape brings back what was shown before. */
export async function filterByText(view: Arranged): Promise<void> {
  const before = view.arrangement.text;
  const input = vscode.window.createInputBox();
  input.title = 'Show rollouts that say this';
  input.placeholder = 'In the question, the answer or a finding; #12 is record 12';
  input.value = before;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const show = (text: string): void => {
    clearTimeout(waiting);
    if (view.arrangement.text !== text) view.arrangement = { ...view.arrangement, text };
  };
  await new Promise<void>((resolve) => {
    let accepted = false;
    input.onDidChangeValue((text) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => show(text.trim()), pause);
    });
    input.onDidAccept(() => {
      accepted = true;
      show(input.value.trim());
      input.hide();
    });
    input.onDidHide(() => {
      if (!accepted) show(before);
      input.dispose();
      resolve();
    });
    input.show();
  });
}
