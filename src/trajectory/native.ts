import type { Node } from 'jsonc-parser';
import { assemble } from './assemble';
import { withoutCutAnswer } from './cutAnswer';
import { findDialect, searchR1 } from './dialect';
import type { Dialect } from './dialect';
import { Fields } from './fields';
import { readGolds } from './golds';
import { kindOf, lineAt, parseJson, spanOf, tooDeep, valueOf } from './json';
import type { JsonFault } from './json';
import type { Ending, Finding, Prompt, Recorded, TurnTokens, Trajectory } from './model';
import { readNativeTurns } from './nativeTurns';
import { readPrompt } from './nativePrompt';
import type { ReadOptions } from './options';
import { boundedFindings, outcomeFindings, recordedFindings } from './rolloutFindings';
import { nativeRecorded } from './recorded';
import { questionOf } from './question';
import type { ReadRecord, RecordResult, SourceMap } from './records';
import { quote } from './visible';

/** Reads one trajectory in the native format: JSON with comments, its parts where they stand. Never throws. */
export function readNativeText(source: string, options: ReadOptions): RecordResult {
  const deep = tooDeep(source);
  if (deep !== undefined) {
    const message = `Line ${String(lineAt(source, deep))}: brackets nest too deep for a trajectory; this is not one, or it is damaged.`;
    return { kind: 'problem', at: { start: deep, end: deep + 1 }, message };
  }
  const { root, faults } = parseJson(source);
  if (root?.type !== 'object') {
    const what = root === undefined ? 'nothing that is JSON' : kindOf(root);
    return { kind: 'problem', message: `The file holds ${what}; a trajectory is an object with "question", "answers" and "turns".` };
  }
  return new NativeReader(source, root, faults, options).read();
}

class NativeReader {
  private readonly findings: Finding[] = [];
  private readonly fields: Fields;

  constructor(
    private readonly source: string,
    private readonly root: Node,
    private readonly faults: readonly JsonFault[],
    private readonly options: ReadOptions,
  ) {
    this.fields = new Fields('the record', root, this.findings);
  }

  read(): ReadRecord {
    const dialect = this.dialect();
    const tokens = this.fields.child('tokens');
    const prompt = readPrompt(this.fields, tokens);
    const turnsNode = this.fields.nested('turns', 'array');
    const { kept, ending: found } = this.undamaged(turnsNode);
    const stated = this.ending();
    const ending = stated ?? found;
    const turns = readNativeTurns(this.source, kept, dialect, turnIds(tokens), this.findings);
    const question = this.question(prompt);
    const answers = this.answers();
    const recorded = this.recorded();
    const group = this.fields.text('group')?.value as unknown;
    this.fields.reportUnknown();
    const { findings, ...assembled } = assemble(turns.text, turns.actions, dialect);
    // What a broken native file still holds of an answer is a value that was closed.
    const parts = stated === 'damaged' ? withoutCutAnswer(assembled, dialect) : assembled;
    const trajectory: Trajectory = {
      question,
      answers,
      prompt,
      dialect: dialect.id,
      text: turns.text,
      ...parts,
      ending,
      ...(typeof group === 'string' ? { group } : {}),
      ...(recorded === undefined ? {} : { recorded }),
      findings: boundedFindings([...this.findings, ...recordedFindings(recorded, parts.turns.length), ...findings, ...outcomeFindings(parts, ending, answers.length)]),
    };
    const map = this.sourceMap(trajectory, turns.sources, turns.pieces);
    return { kind: 'trajectory', trajectory, ...(map === undefined ? {} : { source: map }) };
  }

  private dialect(): Dialect {
    const wanted = this.fields.text('dialect');
    const own = this.options.dialects ?? [];
    const fallback = findDialect(this.options.defaultDialect ?? searchR1.id, own) ?? searchR1;
    if (wanted === undefined) return fallback;
    const found = findDialect(String(wanted.value), own);
    if (found === undefined) {
      this.fields.report('wrong-type', 'warning', `No dialect is called ${quote(String(wanted.value))}; "${fallback.id}" is used.`, spanOf(wanted));
    }
    return found ?? fallback;
  }

  /** A copy of a record that broke off says so. */
  private ending(): Ending | undefined {
    const stated = this.fields.text('ending');
    if (stated === undefined || stated.value === 'complete') return undefined;
    if (stated.value === 'damaged') return 'damaged';
    this.fields.report('wrong-type', 'warning', `"ending" is ${quote(String(stated.value))}, and not "complete" or "damaged"; it is left out.`, spanOf(stated));
    return undefined;
  }

  /** The turns before the first place where the text breaks; what it breaks in is left out. Reports every fault. */
  private undamaged(turns: Node | undefined): { readonly kept: readonly Node[]; readonly ending: Ending } {
    const all = turns?.children ?? [];
    const broken = this.faults.find((fault) => fault.breaks);
    const end = turns === undefined ? this.source.length : turns.offset + turns.length;
    const closed = turns !== undefined && this.source[end - 1] === ']';
    const damaged = broken !== undefined && (broken.at.start < end || !closed);
    const kept = damaged ? all.filter((turn) => turn.offset + turn.length <= broken.at.start && this.isClosed(turn)) : all;
    // Behind a break the parser only stumbles on.
    const told = broken === undefined ? this.faults : this.faults.slice(0, this.faults.indexOf(broken) + 1);
    for (const fault of told.slice(-10)) this.reportFault(fault, fault === broken ? all.length - kept.length : 0);
    return { kept, ending: damaged ? 'damaged' : 'complete' };
  }

  private isClosed(turn: Node): boolean {
    return turn.type !== 'object' || this.source[turn.offset + turn.length - 1] === '}';
  }

  private reportFault(fault: JsonFault, lost: number): void {
    const left = lost === 0 ? '' : `; ${String(lost)} turn${lost === 1 ? '' : 's'} from there on ${lost === 1 ? 'is' : 'are'} left out`;
    const place = `Line ${String(lineAt(this.source, fault.at.start))}`;
    const follows = fault.what === 'end of file expected';
    const what = follows ? 'something follows the record; only the first is read' : fault.breaks ? `the JSON breaks here (${fault.what})` : fault.what;
    this.fields.report('damaged', fault.breaks ? 'error' : 'warning', `${place}: ${what}${left}.`, fault.at);
  }

  private question(prompt: Prompt): string {
    const given = this.fields.text('question');
    if (given !== undefined && String(given.value).trim() !== '') return String(given.value);
    const found = questionOf(prompt, this.options.agentPrompt);
    const at = spanOf(given ?? this.fields.key('question') ?? this.root);
    if (found === undefined) {
      this.fields.report('question-missing', 'warning', 'The record has no question; add "question" so that it can be asked of the policy.', at);
    } else if (found.guessed) {
      this.fields.report('question-guessed', 'information', 'The record names no question; the whole last user message of its prompt is taken.', at);
    }
    return found?.question ?? '';
  }

  private answers(): readonly string[] {
    const node = this.fields.node('answers');
    const numbers = new Map<number, string>();
    for (const item of [node, ...(node?.children ?? [])]) {
      if (item?.type === 'number') numbers.set(Number(item.value), this.source.slice(item.offset, item.offset + item.length));
    }
    const golds = readGolds(valueOf(node), 'answers', (n) => numbers.get(n) ?? String(n));
    const at = spanOf(node ?? this.fields.key('answers') ?? this.root);
    for (const { code, severity, message } of golds.notes) this.fields.report(code, severity, message, at);
    return golds.answers;
  }

  private recorded(): Recorded | undefined {
    const node = this.fields.nested('recorded', 'object');
    if (node === undefined) return undefined;
    return nativeRecorded(valueOf(node) as Readonly<Record<string, unknown>>);
  }

  /** Only where the turns' queries stand on lines of their own. */
  private sourceMap(t: Trajectory, sources: SourceMap['turns'], pieces: SourceMap['pieces']): SourceMap | undefined {
    const turns = sources.slice(0, t.turns.length);
    const final = t.final === undefined ? undefined : sources[t.turns.length];
    const starts = [...turns, ...(final === undefined ? [] : [final])].map((turn) => turn.query.start);
    for (let i = 1; i < starts.length; i++) if (!this.source.slice(starts[i - 1], starts[i]).includes('\n')) return undefined;
    const named = this.fields.key('question')?.parent;
    const answers = this.fields.key('answers')?.parent;
    const whole = spanOf(this.root);
    if (!this.source.slice(whole.start, whole.end).trim().includes('\n')) return undefined;
    return {
      whole,
      question: named === undefined ? whole : spanOf(named),
      ...(answers === undefined ? {} : { answers: spanOf(answers) }),
      turns,
      ...(final === undefined ? {} : { final }),
      pieces,
    };
  }
}

/** Tokens as recorded, by turn object. */
function turnIds(tokens: Fields | undefined): readonly (TurnTokens | undefined)[] {
  return (tokens?.children('turns') ?? []).map((fields) => {
    const [policy, observation, logprobs] = [fields?.ids('policy'), fields?.ids('observation'), fields?.logprobs('logprobs')];
    if (policy === undefined && observation === undefined && logprobs === undefined) return undefined;
    return { ...(policy === undefined ? {} : { policy }), ...(observation === undefined ? {} : { observation }), ...(logprobs === undefined ? {} : { logprobs }) };
  });
}
