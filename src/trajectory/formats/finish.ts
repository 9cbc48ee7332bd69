import { assemble, type Segmented } from '../assemble';
import { withoutCutAnswer } from '../cutAnswer';
import { readGolds } from '../golds';
import type { Finding, Prompt, Recorded, Trajectory, Turn } from '../model';
import type { ReadOptions } from '../options';
import { tokensByTurn } from '../recordedTokens';
import type { RecordResult } from '../records';
import { actionsOfRoles } from '../roleActions';
import { hasStrippedRoles } from '../roles';
import { boundedFindings, outcomeFindings, recordedFindings } from '../rolloutFindings';
import { splitActions, splitSaid } from '../segment';
import { dialectOf } from '../sniff';
import type { Draft, KeptDraft } from './format';
import { withoutOpenedThought } from './openedThought';
import { isOfLastSteps } from './outcomes';
import { promptFindings } from './promptFindings';
import { otherLines, sideLinesOf } from './sideLines';
import { askedIn } from './prompts';
import { withoutEpilogue } from './epilogue';

/** A trajectory from what a format took out of a record: its turns, its question, its golds and what a reader should know of it. */
export function finish(draft: Draft | KeptDraft, options: ReadOptions): RecordResult {
  return { kind: 'trajectory', trajectory: withSideLines(draft, options, 0) };
}

/** The trajectory, and those beside it. */
function withSideLines(draft: Draft | KeptDraft, options: ReadOptions, depth: number): Trajectory {
  const t = 'kept' in draft ? keptOf(draft) : finished(draft, options);
  const sideLines = sideLinesOf(draft, t.turns.length, depth, (side) => withSideLines(side, options, depth + 1));
  if (sideLines.length === 0) return t;
  const told = 'kept' in draft ? [] : [otherLines(sideLines)];
  return { ...t, sideLines, findings: boundedFindings([...told, ...t.findings]) };
}

const keptOf = ({ kept, scored, notes = [] }: KeptDraft): Trajectory => ({
  ...kept,
  ...(scored === undefined ? {} : { scored }),
  findings: notes.length === 0 ? kept.findings : boundedFindings([...notes, ...kept.findings]),
});

function finished(draft: Draft, options: ReadOptions): Trajectory {
  const dialect = draft.rollout.dialect ?? dialectOf(draft.rollout.text, options);
  const { parts } = draft.rollout;
  const written = draft.rollout.text;
  const { text, actions, notes } = withoutEpilogue(dialect, written, parts === undefined ? splitActions(written, dialect) : actionsOfRoles(written, parts, dialect, splitSaid));
  const { findings: inText, ...assembled } = assemble(text, actions, dialect);
  const ending = draft.ending ?? 'complete';
  const segments = { ...(ending === 'damaged' ? withoutCutAnswer(assembled, dialect) : assembled), turns: withTokens(assembled, draft.recorded) };
  const prompt = draft.prompt ?? { kind: 'contract' };
  const noted = draft.notes ?? [];
  const findings: Finding[] = [...(ending === 'damaged' ? noted.filter((note) => !isOfLastSteps(note)) : noted), ...notes];
  const question = questionOf(draft, prompt, options, findings);
  const golds = readGolds(draft.golds?.value, draft.golds?.key ?? 'answers', draft.golds?.written);
  return {
    question,
    answers: golds.answers,
    prompt,
    dialect: dialect.id,
    text,
    ...segments,
    ending,
    ...(draft.group === undefined ? {} : { group: draft.group }),
    ...(draft.recorded === undefined ? {} : { recorded: draft.recorded }),
    findings: boundedFindings([
      ...findings,
      ...golds.notes,
      ...promptFindings(prompt, dialect, segments, golds.answers),
      ...(parts === undefined ? strippedFindings(text) : []),
      ...recordedFindings(draft.recorded, segments.turns.length),
      ...withoutOpenedThought(inText, text, prompt, dialect),
      ...outcomeFindings(segments, ending, golds.answers.length),
    ]),
  };
}

/** Tokens that the file states turn by turn stay; those of the whole rollout are shared out. */
function withTokens({ turns, final, tail }: Omit<Segmented, 'findings'>, recorded: Recorded | undefined): readonly Turn[] {
  if (recorded?.tokens === undefined || turns.some(({ ids }) => ids !== undefined)) return turns;
  const tokens = tokensByTurn(recorded.tokens, turns, final !== undefined || tail !== undefined);
  return tokens.length === 0 ? turns : turns.map((turn, i) => ({ ...turn, ids: tokens[i] ?? {} }));
}

function questionOf({ question }: Draft, prompt: Prompt, options: ReadOptions, findings: Finding[]): string {
  if (question !== undefined && question.trim() !== '') return question.trim();
  const found = askedIn(prompt, options.agentPrompt);
  if (found === undefined) findings.push({ code: 'question-missing', severity: 'warning', message: 'The row has no question, and no prompt that asks one.' });
  else if (found.guessed) {
    findings.push({ code: 'question-guessed', severity: 'information', message: 'The row names no question; the whole last user message of its prompt is taken.' });
  }
  return found?.question ?? '';
}

function strippedFindings(text: string): readonly Finding[] {
  if (!hasStrippedRoles(text)) return [];
  const message = 'The dump has dropped the chat markers around what came back; the bare role lines are kept as they stand, so the policy reads another text than the one it wrote.';
  return [{ code: 'special-tokens-stripped', severity: 'warning', message }];
}
