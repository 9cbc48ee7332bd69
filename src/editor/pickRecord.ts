import * as vscode from 'vscode';
import type { TrajectoryFile } from '../trajectory/file';
import type { RecordResult } from '../trajectory/records';
import { summarise } from '../trajectory/summary';

interface Item extends vscode.QuickPickItem {
  readonly record: number;
}

/** A list of a file's records. What is said of each is read while the list is already there, until a choice is made. */
export async function pickRecord(file: TrajectoryFile, title: string, read: (record: number) => Promise<RecordResult>): Promise<number | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const items: Item[] = file.records.map(({ record, line }) => ({ record, label: `Record ${record}`, description: `line ${line + 1}` }));
  pick.title = title;
  pick.placeholder = `${items.length} records`;
  pick.matchOnDescription = true;
  pick.items = items;
  pick.busy = true;
  let open = true;
  const describe = async (): Promise<void> => {
    for (let i = 0; i < items.length && open; i++) {
      const item = items[i];
      if (!item) break;
      const { question, turns } = summarise(await read(item.record));
      items[i] = { ...item, description: question === undefined ? 'cannot be read' : `${question} (${turns} turns)` };
      if (i % 200 === 199 || i === items.length - 1) {
        const active = pick.activeItems[0]?.record;
        pick.items = [...items];
        pick.activeItems = items.filter((it) => it.record === active);
        pick.placeholder = `${i + 1} of ${items.length} records read`;
      }
    }
    pick.busy = false;
  };
  return new Promise<number | undefined>((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.record);
      pick.hide();
    });
    pick.onDidHide(() => {
      open = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    describe().catch(() => (pick.busy = false));
  });
}
