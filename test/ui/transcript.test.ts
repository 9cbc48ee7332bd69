import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moment, Workbench } from './workbench';

const alone = '▲ +0.50 reward · γ 0.00→1.00 · Δ +11.56 · Ã +1.00';
const together = '▲ +0.50 reward · γ 0.00→1.00 · Δ +11.56 · Ã +1.05';
const words = (text: string): string => text.replace(/\s+/g, ' ');

describe('a record of a rollout dump', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start();
    await workbench.open('group.jsonl');
    await workbench.untilDone(async () => {
      await workbench.lens('Record 0: open transcript').click(moment);
      await workbench.page.locator('.tab.active', { hasText: 'record 0.transcript' }).waitFor(moment);
    });
    await workbench.lens('2 turns, not scored').waitFor();
  });
  afterAll(() => workbench?.close());

  test('is scored alone', async () => {
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.lens(alone).waitFor();
    await workbench.lens('Ã over this trajectory alone (2 eligible turns)').waitFor();
    await expect.poll(async () => (await workbench.inlineTexts()).map(words)).toEqual([expect.stringMatching(/^○ γ 0\.00 · r 0\.00 · Δ \+0\.0[89] · Ã 0\.00$/), '▲ γ 1.00 · r +0.50 · Δ +11.56 · Ã +1.00']);
  });

  test('its turns are in the outline and the breadcrumbs', async () => {
    await workbench.screenshot('transcript-alone-dark');
    await workbench.goToLine(15);
    await workbench.page.locator('.breadcrumbs-control', { hasText: 'Turn 2' }).waitFor();
  });

  test('and then with its question', async () => {
    await workbench.run('Turnlens: Re-score Question');
    await workbench.lens(together).waitFor();
    await workbench.lens(/over the question’s 5 rollouts/).waitFor();
    const text = words(await workbench.hover('search: Adele Ulmer', 'Turn 2'));
    for (const part of ['Turn 2', 'Ravbrook', '+1.0534', 'the question’s 5 rollouts']) expect(text).toContain(part);
    await workbench.page.keyboard.press('Escape');
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as const) {
    test(`looks right in the ${theme} theme`, async () => {
      await workbench.theme(theme);
      await workbench.lens(together).waitFor();
      await workbench.screenshot(`transcript-${theme}`);
      await workbench.hover('search: Adele Ulmer', 'Turn 2');
      await workbench.screenshot(`transcript-hover-${theme}`, true);
      await workbench.page.keyboard.press('Escape');
    });
  }

  test('comes back after a reload with its scores, and without the policy', async () => {
    await workbench.reload();
    await workbench.line('Egger Industries').waitFor();
    await workbench.lens(alone).waitFor();
    await workbench.lens('Ã over this trajectory alone (2 eligible turns)').waitFor();
    // The full circle of a loaded policy is not there.
    await workbench.status(/demo policy · cpu · fresh/).locator('.codicon-circle-outline').waitFor();
  });
});
