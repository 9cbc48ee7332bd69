import { brief } from '../trajectory/visible';

/** What `workspace.getConfiguration('turnlens')` offers. */
export interface Configuration {
  get<T>(key: string, fallback: T): T;
}

/** Reads settings, of which a settings file may hold anything: what is no value of a setting is replaced by its default, and told in a sentence. */
export class SettingsReader {
  readonly problems: string[] = [];

  constructor(private readonly from: Configuration) {}

  text(key: string, otherwise: string): string {
    return this.read(key, otherwise, (value) => typeof value === 'string', 'a text');
  }

  flag(key: string, otherwise: boolean): boolean {
    return this.read(key, otherwise, (value) => typeof value === 'boolean', 'true or false');
  }

  choice<const T extends string>(key: string, otherwise: T, choices: readonly T[]): T {
    return this.read(key, otherwise, (value): value is T => choices.some((choice) => choice === value), `one of ${choices.join(', ')}`);
  }

  /** A finite number that is not negative. */
  amount(key: string, otherwise: number): number {
    return this.read(key, otherwise, (value): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value), 'a number from 0 on');
  }

  /** A whole number from 1 on, or none. */
  count(key: string): number | undefined {
    const isCount = (value: unknown): value is number | null => value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1);
    return this.read(key, null, isCount, 'a whole number from 1 on') ?? undefined;
  }

  private read<T>(key: string, otherwise: T, isValue: (value: unknown) => value is T, wanted: string): T {
    const value = this.from.get<unknown>(key, otherwise);
    if (isValue(value)) return value;
    this.problems.push(`The setting turnlens.${key} is ${brief(JSON.stringify(value) ?? 'undefined', 40)}, not ${wanted}; ${JSON.stringify(otherwise)} is used.`);
    return otherwise;
  }
}
