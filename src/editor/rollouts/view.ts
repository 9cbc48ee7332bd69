import * as vscode from 'vscode';
import type { MetricId } from '../../credit/settings';
import { count } from '../../scoring/format';
import { debounced } from '../debounce';
import { contextKeys, rolloutsView } from '../ids';
import type { Target } from '../rescore';
import type { Rollout } from '../rollout';
import type { ScoreBook } from '../scoreBook';
import { name, unreadable, type SourceFiles } from '../sources';
import { watch } from '../watch';
import { arrange, fileOrder, isFiltered, type Arrangement, type Listed, type QuestionGroup } from './arrange';
import { arrangementWords } from './arrangementWords';
import { Attention } from './attention';
import type { ListedFiles } from './listedFiles';
import { Listing, type Progress } from './listing';
import { Mover } from './mover';
import { fileNode, lineNodes, progressWords, questionNode, rolloutNode, treeItem, type Node } from './nodes';
import { rowOf, type RolloutRow } from './row';

/** The Rollouts view: files, their questions, their rollouts. A file is read when it is opened in the view, and followed from then on. */
export class RolloutsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly listings = new Map<string, { readonly listing: Listing; readonly watcher: vscode.Disposable }>();
  /** As they are arranged, until a row, a score or the arrangement changes. */
  private readonly arranged = new Map<string, QuestionGroup[]>();
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly drawn = new vscode.EventEmitter<void>();
  readonly onDidDraw = this.drawn.event;
  private readonly tree: vscode.TreeView<Node>;
  private readonly mover: Mover;
  private readonly subscriptions: vscode.Disposable;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** What was asked for last to be revealed. */
  private wanted: symbol | undefined;
  private how: Arrangement = fileOrder;
  /** How many of the listed files are called so. */
  private readonly named = new Map<string, number>();
  /** What {@link reread} is told of when the tree is drawn next. */
  private seen: Target[] = [];

  constructor(
    private readonly files: ListedFiles,
    private readonly sources: SourceFiles,
    private readonly book: ScoreBook,
    private readonly metric: () => MetricId,
    /** Told of records that were read while their scores are shown: the file may have been written anew since it was scored. */
    private readonly reread: (targets: readonly Target[]) => void,
  ) {
    this.tree = vscode.window.createTreeView<Node>(rolloutsView, { treeDataProvider: this, showCollapseAll: true });
    this.mover = new Mover(this.tree);
    // What is typed goes before what is on disk.
    const edited = debounced(300, (source) => this.listings.get(source)?.listing.follow());
    const typed = vscode.workspace.onDidChangeTextDocument(({ document }) => edited(document.uri.toString()));
    const givenUp = vscode.workspace.onDidCloseTextDocument(({ uri }) => edited(uri.toString()));
    const scored = book.onDidChange(() => {
      this.arranged.clear();
      this.refreshSoon();
    });
    this.subscriptions = vscode.Disposable.from(this.tree, this.changed, this.drawn, files.onDidChange(() => this.forgetGone()), scored, edited, typed, givenUp);
  }

  get arrangement(): Arrangement {
    return this.how;
  }

  set arrangement(how: Arrangement) {
    this.how = how;
    this.refresh();
  }

  get selected(): readonly Node[] {
    return this.tree.selection;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const [progress, rows] = [this.progress(node.source), this.rows(node.source)];
    const shown = node.kind === 'file' && isFiltered(this.how) ? this.groups(node.source).reduce((n, { rollouts }) => n + rollouts.length, 0) : rows.length;
    const damaged = node.kind === 'file' ? damagedIn(rows) : 0;
    const isNamesake = node.kind === 'file' && (this.named.get(name(vscode.Uri.parse(node.source))) ?? 0) > 1;
    return treeItem(node, progress, { shown, rollouts: rows.length, damaged, isNamesake });
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === 'file') return undefined;
    if (node.kind === 'line') return rolloutNode(node.source, node.listed);
    const group = node.kind === 'rollout' && this.how.group === 'question' ? this.groups(node.source).find(({ key }) => key === node.listed.row.group) : undefined;
    return group ? questionNode(node.source, group) : fileNode(node.source);
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      this.files.follow();
      this.named.clear();
      for (const each of this.files.all.map((source) => name(vscode.Uri.parse(source)))) this.named.set(each, (this.named.get(each) ?? 0) + 1);
      return this.files.all.map(fileNode);
    }
    const { source } = node;
    if (node.kind === 'question') return node.group.rollouts.map((listed) => rolloutNode(source, listed));
    if (node.kind === 'rollout') return lineNodes(source, node.listed);
    if (node.kind !== 'file') return [];
    const listing = this.listing(source);
    listing.start();
    const groups = this.groups(source);
    const nodes: Node[] =
      this.how.group === 'question' ? groups.map((group) => questionNode(source, group)) : groups.flatMap((group) => group.rollouts).map((listed) => rolloutNode(source, listed));
    const note = noteOf(listing, nodes.length);
    return note ? [...nodes, { kind: 'note', source, ...note }] : nodes;
  }

  /** As they are shown. */
  groups(source: string): QuestionGroup[] {
    const known = this.arranged.get(source);
    if (known) return known;
    const groups = arrange(this.listed(source), this.how);
    this.arranged.set(source, groups);
    return groups;
  }

  /** All rollouts of a file that are read, in its order. */
  listed(source: string): Listed[] {
    return this.rows(source).map((row) => {
      const shown = this.book.get({ source, record: row.record });
      return { row, ...(shown && { shown }) };
    });
  }

  progress(source: string): Progress {
    return this.listings.get(source)?.listing.progress ?? { kind: 'unread' };
  }

  /** The lists that are read, as far as they are. */
  *read(): Iterable<readonly [source: string, listing: Listing]> {
    for (const [source, { listing }] of this.listings) yield [source, listing];
  }

  private rows(source: string): readonly RolloutRow[] {
    return this.listings.get(source)?.listing.rows ?? [];
  }

  /**
   * Opens the file's line and moves to it, or to that of a rollout, or of the line beside one.
   * @returns what keeps the rollout out of the view; nothing where it is there, or where something else was asked for meanwhile
   */
  async reveal(uri: vscode.Uri, rollout?: Rollout): Promise<'filtered' | 'unread' | undefined> {
    const attention = new Attention();
    try {
      return await this.moveTo(uri.toString(), rollout, () => attention.isHere);
    } finally {
      attention.dispose();
    }
  }

  private async moveTo(source: string, rollout: Rollout | undefined, isAwaited: () => boolean): Promise<'filtered' | 'unread' | undefined> {
    const wanted = Symbol(source);
    this.wanted = wanted;
    await this.mover.to(fileNode(source), isAwaited);
    if (rollout === undefined) return undefined;
    const { record, line } = rollout;
    await this.listing(source).reached(record);
    if (this.wanted !== wanted) return undefined;
    const found = this.groups(source).flatMap(({ rollouts }) => rollouts).find(({ row }) => row.record === record);
    if (!found) return this.rows(source)[record] ? 'filtered' : 'unread';
    this.draw();
    const beside = lineNodes(source, found).find((node) => node.kind === 'line' && node.row.line === line);
    await this.mover.to(beside ?? rolloutNode(source, found), isAwaited);
    return undefined;
  }

  stop(): void {
    for (const { listing } of this.listings.values()) listing.stop();
  }

  /** What is read depends on the metric, the dialects and the policy's contract. */
  readAnew(): void {
    for (const { listing } of this.listings.values()) listing.reset();
  }

  /** Made where it is about to be read: the file is followed from then on. */
  listing(source: string): Listing {
    const known = this.listings.get(source);
    if (known) return known.listing;
    const uri = vscode.Uri.parse(source);
    const listing = new Listing(
      {
        open: (found, until) => this.sources.open(uri, found, until),
        options: () => this.sources.options(),
        rowOf: (record, result) => {
          const rollout = { source, record };
          if (result.kind === 'trajectory' && this.book.get(rollout)) this.seen.push({ rollout, trajectory: result.trajectory });
          return rowOf(record, result, this.metric());
        },
        reason: (error) => unreadable(uri, error),
      },
      () => {
        this.arranged.delete(source);
        this.refreshSoon();
      },
    );
    this.listings.set(source, { listing, watcher: watch(uri, () => listing.follow(), () => listing.gone()) });
    return listing;
  }

  private forgetGone(): void {
    const wanted = new Set(this.files.all);
    for (const [source, { listing, watcher }] of [...this.listings]) {
      if (wanted.has(source)) continue;
      listing.stop();
      watcher.dispose();
      this.mover.forget(source);
      this.listings.delete(source);
    }
    this.refresh();
  }

  /** While rows and scores come in: the first row at once, then the more there are the rarer. What comes within 200 ms of the last time, the tree puts off. */
  private refreshSoon(): void {
    const rows = Math.max(0, ...[...this.listings.values()].map(({ listing }) => listing.rows.length));
    this.waiting ??= setTimeout(() => this.refresh(), rows > 1 ? Math.min(2000, 250 + rows / 5) : 0);
  }

  private refresh(): void {
    this.arranged.clear();
    void this.mover.moved.then(() => this.draw());
  }

  private draw(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const { seen } = this;
    this.seen = [];
    if (seen.length > 0) this.reread(seen);
    const reading = [...this.listings].flatMap(([source, { listing }]) => (listing.progress.kind === 'reading' ? [`${name(vscode.Uri.parse(source))}: ${progressWords(listing.progress)}`] : []));
    this.tree.message = [...reading, arrangementWords(this.how)].filter((line) => line !== '').join('\n');
    const damaged = [...this.listings.values()].reduce((n, { listing }) => n + damagedIn(listing.rows), 0);
    this.tree.badge = damaged > 0 ? { value: damaged, tooltip: `${count(damaged, 'record')} cannot be read` } : undefined;
    void vscode.commands.executeCommand('setContext', contextKeys.reading, reading.length > 0);
    void vscode.commands.executeCommand('setContext', contextKeys.filtered, isFiltered(this.how));
    this.changed.fire(undefined);
    this.drawn.fire();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const { listing, watcher } of this.listings.values()) {
      listing.stop();
      watcher.dispose();
    }
    this.subscriptions.dispose();
  }
}

const damagedIn = (rows: readonly RolloutRow[]): number => rows.filter(({ problem }) => problem !== undefined).length;

function noteOf({ progress, rows }: Listing, shown: number): { readonly text: string; readonly more: boolean } | undefined {
  if (progress.kind === 'refused') return { text: progress.message, more: false };
  if (progress.kind === 'partial') return { text: `Read more (${progressWords(progress)})`, more: true };
  if (progress.kind !== 'read') return undefined;
  if (rows.length === 0) return { text: 'The file holds no record.', more: false };
  return shown === 0 ? { text: 'No rollout passes the filter.', more: false } : undefined;
}
