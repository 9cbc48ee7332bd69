import * as vscode from 'vscode';
import { Panel } from '../panel/panel';
import { say } from './activeTab';
import { ClearedFiles } from './clearedFiles';
import { Commands } from './commands';
import { Decorations } from './decorations';
import { Documents } from './documents';
import { registerScoreOnOpen } from './scoreOnOpen';
import { Followed } from './followed';
import { Freshness } from './freshness';
import { Hovers } from './hovers';
import { commands, configSection, partScheme, rawScheme, transcriptScheme } from './ids';
import { Lenses } from './lenses';
import { registerNotJson } from './notJson';
import { Outline } from './outline';
import { PanelEditor } from './panelEditor';
import { registerPolicyCommand } from './policyCommand';
import { Problems } from './problems';
import { RawRecords } from './rawRecords';
import { ReadingOptions } from './readingOptions';
import { RecordLenses } from './recordLenses';
import { Rescoring } from './rescore';
import { Resolver } from './resolve';
import { registerShowPolicyCommand } from './showPolicyCommand';
import { registerSampleCommand } from './sampleCommand';
import { Badges } from './rollouts/badges';
import { registerRolloutsCommands } from './rollouts/commands';
import { ListedFiles } from './rollouts/listedFiles';
import { ListedProblems } from './rollouts/listedProblems';
import { RolloutsView } from './rollouts/view';
import { registerSaveCommands } from './saveCommands';
import { ScoreBook } from './scoreBook';
import { registerScoringCommands, scoreRecords } from './scoringCommands';
import { ScoringSession } from './session';
import { readSettings, type EditorSettings } from './settings';
import { SourcePlaces } from './sourcePlaces';
import { SourceFiles } from './sources';
import { registerSpikeCommands } from './spikeCommands';
import { Surroundings } from './surroundings';
import { registerTranscriptCommands } from './transcriptCommands';
import { TranscriptLinks } from './transcriptLinks';
import { Transcripts } from './transcripts';
import { WholeParts } from './wholeParts';

/** What the integration tests ask for; nothing else should. */
export interface TurnlensApi {
  readonly scores: ScoreBook;
  readonly session: ScoringSession;
  readonly rollouts: RolloutsView;
  readonly panel: Panel;
}

/** Wires the surfaces to the documents and the scores. Opens no policy: that waits for the first re-score. */
export function activate(context: vscode.ExtensionContext): TurnlensApi {
  let read: EditorSettings | undefined;
  const settings = (): EditorSettings => (read ??= readSettings(vscode.workspace.getConfiguration(configSection)));
  // Before anything else hears of the change.
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(() => (read = undefined)));
  let said: readonly string[] = [];
  const sayWhatIsNoSetting = (): void => {
    const { problems } = settings();
    problems.filter((problem) => !said.includes(problem)).forEach(say);
    said = problems;
  };
  const log = vscode.window.createOutputChannel('Turnlens', { log: true });

  const dialects = () => settings().dialects;
  const session = new ScoringSession(settings, context, log);
  const reading = new ReadingOptions(session, dialects);
  const sources = new SourceFiles(() => reading.current(), dialects);
  const transcripts = new Transcripts(sources);
  const documents = new Documents(transcripts, sources.options, dialects);
  const book = new ScoreBook();
  const cleared = new ClearedFiles(context.workspaceState);
  const rescoring = new Rescoring(session, book, settings, (rollout) => documents.latest(rollout), cleared, log);
  const register = new Commands(log);
  const resolver = new Resolver(documents, sources);

  const lenses = new Lenses(documents, book, sources, settings);
  const recordLenses = new RecordLenses(dialects);
  const decorations = new Decorations(documents, book);
  const problems = new Problems(documents, book);
  const outline = new Outline(documents);
  const surroundings = new Surroundings(documents, book, session);
  const freshness = new Freshness(documents, book, rescoring);

  const listedFiles = new ListedFiles(context.workspaceState, dialects);
  const rollouts = new RolloutsView(listedFiles, sources, book, () => settings().credit.metric, (targets) => freshness.reread(targets));
  const places = new SourcePlaces(sources, documents);
  const panelEditor = new PanelEditor(documents, book);
  const panel = new Panel(context.extensionUri, panelEditor);

  const rawFollowed = new Followed(rawScheme);
  const partsFollowed = new Followed(partScheme);

  const everywhere: vscode.DocumentSelector = [{ scheme: transcriptScheme }, { pattern: '**/*.traj' }, { language: 'jsonc' }, { language: 'json' }];
  const listed: vscode.DocumentSelector = [{ language: 'jsonl' }, { pattern: '**/*.{jsonl,traj}' }];

  context.subscriptions.push(
    log,
    session,
    reading,
    sources,
    transcripts,
    documents,
    book,
    decorations,
    problems,
    surroundings,
    freshness,
    listedFiles,
    rollouts,
    new ListedProblems(rollouts, listedFiles, documents, places),
    registerRolloutsCommands(register, rollouts, listedFiles, scoreRecords(resolver, rescoring)),
    vscode.window.registerFileDecorationProvider(new Badges()),
    panelEditor,
    panel,
    rawFollowed,
    partsFollowed,
    register.add(commands.openPanel, () => panel.open()),
    vscode.languages.registerCodeLensProvider(everywhere, lenses),
    vscode.languages.registerCodeLensProvider(listed, recordLenses),
    vscode.languages.registerHoverProvider(everywhere, new Hovers(documents, book)),
    vscode.languages.registerDocumentSymbolProvider({ scheme: transcriptScheme }, outline),
    vscode.languages.registerFoldingRangeProvider({ scheme: transcriptScheme }, outline),
    registerScoringCommands(register, resolver, rescoring, book, documents, sources),
    vscode.languages.registerDocumentLinkProvider({ scheme: transcriptScheme }, new TranscriptLinks(documents)),
    registerSaveCommands(register, resolver, book, dialects),
    registerTranscriptCommands(register, resolver, documents, places),
    vscode.workspace.registerTextDocumentContentProvider(rawScheme, new RawRecords(sources, rawFollowed.onDidChange)),
    vscode.workspace.registerTextDocumentContentProvider(partScheme, new WholeParts(sources, partsFollowed.onDidChange)),
    registerSpikeCommands(register, documents, book),
    registerPolicyCommand(register, context, session),
    registerShowPolicyCommand(register, session),
    registerSampleCommand(register),
    registerNotJson(documents),
    registerScoreOnOpen(documents, book, settings),
    register.add(commands.showLog, () => log.show()),
    documents.onDidChange((uri) => {
      freshness.edited(uri);
      problems.refresh(uri);
      lenses.refresh();
      outline.refresh();
      decorations.refresh();
      surroundings.refresh();
    }),
    book.onDidChange(() => {
      for (const { document } of documents.all()) problems.refresh(document.uri);
      lenses.refresh();
      decorations.refresh();
      surroundings.refresh();
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => decorations.refresh(editors)),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (!e.affectsConfiguration(configSection)) return;
      if (e.affectsConfiguration(`${configSection}.dialects`)) {
        sources.forget();
        recordLenses.refresh();
        listedFiles.lookAgain();
      }
      void reading.lookAgain();
      freshness.settingsChanged();
      lenses.refresh();
      surroundings.refresh();
      sayWhatIsNoSetting();
      if (e.affectsConfiguration(`${configSection}.metric`)) rollouts.readAnew();
    }),
    reading.onDidChange(() => {
      sources.reread();
      documents.readAll();
      rollouts.readAnew();
      rawFollowed.tell();
      partsFollowed.tell();
    }),
    session.onDidChangeState(({ kind }) => {
      if (kind === 'ready') void reading.lookAgain();
    }),
  );
  sayWhatIsNoSetting();
  return { scores: book, session, rollouts, panel };
}

export function deactivate(): void {
  // Everything is in context.subscriptions; the policy's process ends with this one.
}
