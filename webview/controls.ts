import { provideVSCodeDesignSystem, vsCodeButton, vsCodeDataGrid, vsCodeDataGridCell, vsCodeDataGridRow } from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type JSX } from 'preact';

/** The one place that knows the toolkit: it is no longer maintained, and what takes its place is written here. */
provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDataGrid(), vsCodeDataGridCell(), vsCodeDataGridRow());

export function Button({ onClick, children }: { readonly onClick: () => void; readonly children: ComponentChildren }): JSX.Element {
  return h('vscode-button', { appearance: 'secondary', onClick }, children);
}

export interface TableProps {
  readonly label: string;
  /** Wide ones hold words, the others figures. */
  readonly columns: readonly { readonly name: string; readonly isWide?: true }[];
  readonly rows: readonly { readonly key: number; readonly cells: readonly string[] }[];
  readonly selected?: number | undefined;
  readonly onSelect?: (key: number) => void;
}

/** Text alone goes into the cells. */
export function Table({ label, columns, rows, selected, onSelect }: TableProps): JSX.Element {
  const cells = (texts: readonly string[], type: 'default' | 'columnheader'): JSX.Element[] =>
    texts.map((text, i) => h('vscode-data-grid-cell', { key: i, 'cell-type': type, 'grid-column': String(i + 1), title: text }, text));
  return h(
    'vscode-data-grid',
    { key: rows.length, 'aria-label': label, 'generate-header': 'none', 'grid-template-columns': columns.map(({ isWide }) => (isWide ? 'minmax(7em,2fr)' : 'minmax(5em,1fr)')).join(' ') },
    h('vscode-data-grid-row', { key: 'header', 'row-type': 'header' }, cells(columns.map(({ name }) => name), 'columnheader')),
    rows.map((row) =>
      h(
        'vscode-data-grid-row',
        {
          key: row.key,
          'aria-selected': String(row.key === selected),
          class: row.key === selected ? 'selected' : '',
          onClick: () => onSelect?.(row.key),
          // The grid goes from cell to cell by arrow keys; these two choose the row.
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            onSelect?.(row.key);
          },
        },
        cells(row.cells, 'default'),
      ),
    ),
  );
}
