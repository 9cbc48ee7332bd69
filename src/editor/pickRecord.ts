import * as vscode from 'vscode';
import { count } from '../scoring/format';
import type { TrajectoryFile } from '../trajectory/file';
import type { ReadOptions } from '../trajectory/options';
import { eachRecord, summarise } from '../trajectory/summary';

interface Item extends vscode.QuickPickItem {
  readonly record: number;
}

/** Records read before the list is written anew for the first time; then it is each time that twice as many are, for it is always written whole. */
const firstRead = 20;

/** A list of a file's records. What is said of each is read while the list is already there, until a choice is made. */
export async function pickRecord(file: TrajectoryFile, title: string, options: ReadOptions): Promise<number | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const items: Item[] = file.records.map(({ record, line }) => ({ record, label: `Record ${record}`, description: `line ${line + 1}` }));
  const stop = new AbortController();
  pick.placeholder = 'Words of the question';
  pick.matchOnDescription = true;
  pick.items = items;
  pick.busy = true;
  /** In the title: a placeholder goes with the first key. */
  const show = (read: number): void => {
    pick.title = `${title} · ${read < items.length ? `${read} of ${items.length} records read` : `${items.length} records`}`;
    const active = pick.activeItems[0]?.record;
    pick.items = [...items];
    pick.activeItems = items.filter((item) => item.record === active);
  };
  const describe = async (): Promise<void> => {
    let next = firstRead;
    let read = 0;
    for await (const { record, summary } of eachRecord(file, options, summarise, stop.signal)) {
      const { question, turns } = summary;
      items[read++] = { record, label: `Record ${record}`, description: question === undefined ? 'cannot be read' : `${question} (${count(turns, 'turn')})` };
      if (read < next || read === items.length) continue;
      show(read);
      next *= 2;
    }
    show(read);
  };
  return new Promise<number | undefined>((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.record);
      pick.hide();
    });
    pick.onDidHide(() => {
      stop.abort();
      resolve(undefined);
      pick.dispose();
    });
    show(0);
    pick.show();
    describe()
      .catch(() => undefined)
      .finally(() => (pick.busy = false));
  });
}
