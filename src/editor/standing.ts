/**
 * How figures stand to the policy at hand. `stale`: the text, the policy or a prompt is no longer what was scored. `saved`: the file holds them, of the
 * policy and the time that they name.
 */
export type Standing = 'fresh' | 'stale' | 'saved';

/** What is said of figures that are not those of the policy at hand, for nobody to take them for such; `undefined`: they are. */
export const standingWords: Readonly<Record<Standing, string | undefined>> = { fresh: undefined, stale: 'stale', saved: 'from the file' };

/** The same before other words. Lenses cannot be coloured, so it is said in words, everywhere. */
export function standingMark(standing: Standing): string {
  const words = standingWords[standing];
  return words === undefined ? '' : `${words} · `;
}
