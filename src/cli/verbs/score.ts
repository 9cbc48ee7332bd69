import { version } from '../../../package.json';
import { PolicyError } from '../../replay/policy';
import type { TrajectoryScores } from '../../scoring/model';
import type { ReplayPlan } from '../../scoring/replayPlan';
import type { Place } from '../../scoring/scoreJson';
import { findLine } from '../../trajectory/lineNames';
import { noRecord, type RecordRange } from '../../trajectory/records';
import type { Trajectory } from '../../trajectory/model';
import { demoPolicy } from '../bundled';
import { readDialects } from '../dialects';
import { plainLine } from '../plainText';
import { openEngine, type Engine } from '../policy';
import { problemLine } from '../problemLine';
import { trackFile, type Progress } from '../progress';
import { batch, openFile, type Batch, type OpenedFile } from '../records';
import { atifReport, jsonReport, tableReport, type Report } from '../report';
import { readScoreRequest, scoreHelp, type ScoreRequest } from '../scoreOptions';
import type { Terminal } from '../terminal';
import type { Verb } from '../verb';
import { whyNoScores } from '../verdict';

export const score: Verb = {
  help: scoreHelp,
  async run(argv, terminal) {
    const request = readScoreRequest(argv);
    const choices = { activations: request.activations, device: request.device, dialects: await readDialects(request.dialects) };
    const engine = await openEngine(request.policy ?? demoPolicy, request, choices, request.useCache, version);
    try {
      const run = new ScoreRun(request, engine, reportOf(request, engine, terminal), terminal);
      for (const name of request.files) await run.file(name);
      if (!request.dryRun && !run.gaveUp) engine.finish();
      return run.missed ? 1 : 0;
    } finally {
      terminal.status('');
      await engine.close();
    }
  },
};

function reportOf({ output }: ScoreRequest, { reading }: Engine, terminal: Terminal): Report {
  if (output === 'table') return tableReport(terminal.columns);
  return output === 'json' ? jsonReport : atifReport(reading.dialects);
}

/** Batches in a row over which the policy's process ended twice: after so many the rest is named and not tried. */
const patience = 2;

class ScoreRun {
  /** At least one file or rollout gave no scores. */
  missed = false;
  private failedInARow = 0;

  /** The policy's process kept ending, and what came after was not tried. */
  get gaveUp(): boolean {
    return this.failedInARow >= patience;
  }

  constructor(
    private readonly request: ScoreRequest,
    private readonly engine: Engine,
    private readonly report: Report,
    private readonly terminal: Terminal,
  ) {}

  async file(name: string): Promise<void> {
    const file = await openFile(name, this.terminal.signal, this.engine.reading.dialects);
    if (typeof file === 'string') return await this.problem(name, null, file);
    try {
      if (file.kind.kind === 'foreign') return await this.problem(name, null, file.kind.message);
      if (this.request.line !== undefined) return await this.line(name, file, this.request.record ?? 0, this.request.line);
      const wanted = this.request.record;
      const { scope, batches } = await batch(file, this.engine.reading, this.terminal.signal, this.request.scope);
      const mine = wanted === undefined ? batches : batches.filter((ranges) => ranges.some(({ record }) => record === wanted));
      if (wanted !== undefined && mine.length === 0) await this.problem(name, null, noRecord(wanted, file.records.length).message);
      const progress = trackFile(this.terminal, plainLine(name), mine.reduce((n, ranges) => n + ranges.length, 0));
      for (const ranges of mine) await this.batch(name, file, ranges, scope, progress);
    } finally {
      await file.close();
    }
  }

  /** Scores records together and writes those that were asked for. */
  private async batch(name: string, file: OpenedFile, ranges: Batch, scope: 'trajectory' | 'question', progress: Progress): Promise<void> {
    const asked = ({ record }: RecordRange): boolean => this.request.record === undefined || this.request.record === record;
    const members: { range: RecordRange; trajectory: Trajectory }[] = [];
    for (const range of ranges) {
      const read = await file.read(range.record, this.engine.reading);
      if (read.kind === 'trajectory') members.push({ range, trajectory: read.trajectory });
      else if (asked(range)) await this.problem(name, range.record, read.message);
    }
    if (members.length === 0) return;

    const trajectories = members.map((m) => m.trajectory);
    if (this.request.dryRun) return await this.plan(name, members.map((m) => m.range.record), trajectories, scope);
    let plan: ReplayPlan | undefined;
    const scores = await this.score(trajectories, scope, progress, (made) => (plan = made));
    for (const [i, { range, trajectory }] of members.entries()) {
      progress.rollout();
      if (!asked(range)) continue;
      await this.write({ file: name, record: range.record }, trajectory, typeof scores === 'string' ? scores : scores[i], plan);
      if (typeof scores !== 'string') plan = undefined;
    }
  }

  /** A line beside the main one has no question's other rollouts to stand among. */
  private async line(name: string, file: OpenedFile, record: number, line: string): Promise<void> {
    const read = await file.read(record, this.engine.reading);
    const found = read.kind === 'problem' ? read.message : findLine(read.trajectory, line);
    if (typeof found === 'string') return await this.problem(name, record, found);
    const trajectories = [found.trajectory];
    if (this.request.dryRun) return await this.plan(name, [record], trajectories, 'trajectory');
    let plan: ReplayPlan | undefined;
    const scores = await this.score(trajectories, 'trajectory', trackFile(this.terminal, plainLine(name), 1), (made) => (plan = made));
    await this.write({ file: name, record, line }, found.trajectory, typeof scores === 'string' ? scores : scores[0], plan);
  }

  /** @param its scores, or why there are none */
  private async write(place: Place, trajectory: Trajectory, its: TrajectoryScores | string | undefined, plan: ReplayPlan | undefined): Promise<void> {
    if (its === undefined) throw new Error(`no scores came back for record ${place.record}`);
    if (typeof its === 'string') return await this.problem(place.file, place.record, its);
    await this.terminal.print(this.report.rollout(place, trajectory, its, plan));
    const why = whyNoScores(trajectory, its);
    if (why !== undefined) this.miss(place.file, place.record, why);
  }

  private async plan(name: string, records: readonly number[], trajectories: readonly Trajectory[], scope: 'trajectory' | 'question'): Promise<void> {
    const plan = await this.engine.plan(trajectories, { settings: this.request.settings, scope, signal: this.terminal.signal });
    await this.terminal.print(this.report.plan(name, records, trajectories[0]?.question ?? '', plan));
  }

  /** The scores, or one sentence why these rollouts have none. A policy that does not load ends the run. */
  private async score(
    trajectories: readonly Trajectory[],
    scope: 'trajectory' | 'question',
    progress: Progress,
    planned: (plan: ReplayPlan) => void,
  ): Promise<readonly TrajectoryScores[] | string> {
    if (this.gaveUp) return 'It was not tried: the policy’s process kept ending over the rollouts before it.';
    const { settings, tokens, plan } = this.request;
    try {
      const scores = await this.engine.score(
        trajectories,
        { settings, scope, tokens, plan, signal: this.terminal.signal },
        { requests: () => undefined, turns: (done, total) => progress.turns(done, total), planned },
      );
      this.failedInARow = 0;
      return scores;
    } catch (error) {
      this.terminal.signal.throwIfAborted();
      if (!(error instanceof PolicyError) || error.code === 'bad-folder' || error.code === 'load-failed') throw error;
      if (error.code !== 'run-failed') this.failedInARow += 1;
      return error.message;
    }
  }

  private async problem(name: string, record: number | null, message: string): Promise<void> {
    await this.terminal.print(this.report.problem(name, record, message));
    this.miss(name, record, message);
  }

  private miss(name: string, record: number | null, why: string): void {
    this.missed = true;
    this.terminal.say(problemLine(name, record, why));
  }
}
