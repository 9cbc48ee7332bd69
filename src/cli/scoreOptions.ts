import { defaultSettings, golds, metricIds, replacements, type CreditSettings, type MethodId } from '../credit/settings';
import { activationChoices, type ActivationChoice } from '../replay/activations';
import { devices, type DeviceChoice } from '../replay/device';
import { dialectsHelp, dialectsOption } from './dialects';
import { amount, choice, parse, recordNumber, UsageError } from './usage';

/** Everything `turnlens score` was asked. */
export interface ScoreRequest {
  readonly files: readonly string[];
  /** Absent: the policy that ships with Turnlens. */
  readonly policy?: string;
  /** File of the user's own dialects. */
  readonly dialects?: string;
  readonly device: DeviceChoice;
  readonly activations: ActivationChoice;
  readonly settings: CreditSettings;
  /** Absent: `question` where a file holds several rollouts of one. */
  readonly scope?: 'trajectory' | 'question';
  /** Print this record alone. Its figures are those it has among the others. */
  readonly record?: number;
  readonly useCache: boolean;
  readonly tokens: boolean;
  /** Beside the record's main line: score this one alone. */
  readonly line?: string;
  readonly output: 'table' | 'json' | 'atif';
  /** Print what was asked of the policy. */
  readonly plan: boolean;
  /** Print that alone and run nothing. */
  readonly dryRun: boolean;
}

const methods: readonly MethodId[] = ['oases', 'lotapo'];
const deviceChoices: readonly DeviceChoice[] = ['auto', ...devices];

export const scoreHelp = `usage: turnlens score FILE… [options]
Replays every search turn against a policy and prints what each was worth.

  --policy DIR             folder of the policy (default: the demo policy)
  --device NAME            where the policy runs: auto (the best that agrees with the
                           CPU), ${devices.join(', ')} (default: auto)
  --activations fp32|exported
                           of a quantised policy: kept in fp32, or rounded as the
                           export has it (default: fp32)
  --methods LIST           oases,lotapo (default: both)
  --metric NAME            ${metricIds.join(', ')} (default: f1)
  --alpha X                process reward r = X · (γ_t − γ_t−1) (default: ${defaultSettings.alpha})
  --lambda X               turn advantage A = outcome advantage + X · gated advantage (default: ${defaultSettings.lambda})
  --gold first|best|mean   the gold answer that the gains use (default: first)
  --scope trajectory|question
                           what advantages are normalised over (default: question
                           where the file holds several rollouts of one)
  --replace turn|evidence  what a gain takes out: the whole turn, or its query and
                           result (default: turn)
  --record N               print record N alone, counted from 0
  --line NAME              score this line beside the record's main one (turnlens
                           index names them); the record is 0 without --record
${dialectsHelp}  --no-cache               neither read nor write the cache on disk
  --tokens                 add the gold's tokens to --json
  --plan                   add what was asked of the policy and what was run
  --dry-run                print that plan alone and run nothing
  --json                   one JSON object a line; docs/json.md describes them
  --as atif                one ATIF document a line, with its scores in it

Exit codes: 0, every rollout got its scores; 1, at least one file or rollout gave
none (each is named, all others are scored); 2, wrong use or no policy.
`;

export function readScoreRequest(argv: readonly string[]): ScoreRequest {
  const { values, positionals } = parse(argv, {
    policy: { type: 'string' },
    ...dialectsOption,
    device: { type: 'string', default: 'auto' },
    activations: { type: 'string', default: 'fp32' },
    methods: { type: 'string' },
    metric: { type: 'string' },
    alpha: { type: 'string' },
    lambda: { type: 'string' },
    gold: { type: 'string' },
    scope: { type: 'string' },
    replace: { type: 'string' },
    record: { type: 'string' },
    line: { type: 'string' },
    as: { type: 'string' },
    'no-cache': { type: 'boolean', default: false },
    tokens: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    plan: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  });
  if (positionals.length === 0) throw new UsageError('no FILE to score');
  if (values.tokens && !values.json) throw new UsageError('--tokens adds to --json and needs it');
  const output = outputOf(values.json, values.as);
  if (output === 'atif' && (values.plan || values['dry-run'])) throw new UsageError('a plan is no trajectory: --as atif goes without --plan and --dry-run');
  const d = defaultSettings;
  return {
    files: positionals,
    ...(values.policy !== undefined && { policy: values.policy }),
    ...(values.dialects !== undefined && { dialects: values.dialects }),
    device: choice('--device', values.device, deviceChoices),
    activations: choice('--activations', values.activations, activationChoices),
    settings: {
      ...d,
      methods: values.methods === undefined ? d.methods : methodList(values.methods),
      metric: values.metric === undefined ? d.metric : choice('--metric', values.metric, metricIds),
      alpha: values.alpha === undefined ? d.alpha : amount('--alpha', values.alpha),
      lambda: values.lambda === undefined ? d.lambda : amount('--lambda', values.lambda),
      gold: values.gold === undefined ? d.gold : choice('--gold', values.gold, golds),
      replace: values.replace === undefined ? d.replace : choice('--replace', values.replace, replacements),
    },
    ...(values.scope !== undefined && { scope: choice('--scope', values.scope, ['trajectory', 'question']) }),
    ...(values.record !== undefined && { record: recordNumber(values.record) }),
    ...(values.line !== undefined && { line: values.line }),
    useCache: !values['no-cache'],
    tokens: values.tokens,
    output,
    plan: values.plan,
    dryRun: values['dry-run'],
  };
}

function outputOf(json: boolean, as: string | undefined): ScoreRequest['output'] {
  if (as === undefined) return json ? 'json' : 'table';
  if (json) throw new UsageError('--json and --as are two ways to write the same; choose one');
  return choice('--as', as, ['atif']);
}

const methodList = (given: string): MethodId[] => [...new Set(given.split(',').map((name) => choice('--methods', name.trim(), methods)))];
