import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moment, Workbench } from './workbench';

const up = '▲ +0.50 reward · γ 0.00→1.00 · Δ +7.12 · Ã +1.19';
const down = '▼ −0.50 reward · γ 1.00→0.00 · Δ −3.42 · Ã −1.26';
const inline = ['○ γ 0.00 · r 0.00 · Δ +0.60 · Ã +0.07', '▲ γ 1.00 · r +0.50 · Δ +7.12 · Ã +1.19', '▼ γ 0.00 · r −0.50 · Δ −3.42 · Ã −1.26'];
const words = (text: string): string => text.replace(/\s+/g, ' ');

describe('a sample, opened and re-scored', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start();
    await workbench.open('harmful-turn.traj');
    await workbench.lens('3 turns, not scored').waitFor();
  });
  afterAll(() => workbench?.close());

  test('the palette offers every command on it', async () => {
    for (const title of ['Re-score Trajectory', 'Re-score Question', 'Re-score File', 'Re-score Ignoring Cache', 'Open Transcript', 'Save Record as .traj', 'Save Record as ATIF', 'Select Policy…', 'Open Sample Trajectory', 'Show Log']) {
      // The list holds no more entries than are in sight.
      await workbench.untilDone(async () => {
        await workbench.ask('F1', `>Turnlens: ${title}`);
        await workbench.quickEntry(`Turnlens: ${title}`).waitFor(moment);
      });
    }
    await workbench.untilDone(() => workbench.ask('F1', '>Turnlens: '));
    await workbench.screenshot('palette');
    await workbench.page.keyboard.press('Escape');
  });

  test('lenses stand on the spikes', async () => {
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.lens(up).waitFor();
    await workbench.lens(down).waitFor();
    await workbench.lens('Ã over this trajectory alone (3 eligible turns)').waitFor();
  });

  test('each query has its figures at the end of its line', async () => {
    await expect.poll(async () => (await workbench.inlineTexts()).map(words)).toEqual(inline);
  });

  test('the status bar names policy, device and freshness', async () => {
    await workbench.status(/demo policy · cpu · fresh/).waitFor();
  });

  test('the hover has the whole arithmetic', async () => {
    const text = words(await workbench.hover('"search": "Karim Grimaldi', 'Turn 2'));
    for (const part of ['Turn 2', 'unknown', 'Jasper Weber', 'token F1', '0.5 × (1.0000 − 0.0000) = +0.5000', '+7.1186', '+1.1905', 'kept', 'this trajectory alone', 'sha256:', 'cpu', 'onnxruntime']) expect(text).toContain(part);
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as const) {
    test(`looks right in the ${theme} theme`, async () => {
      await workbench.page.keyboard.press('Escape');
      await workbench.theme(theme);
      await workbench.lens(up).waitFor();
      await workbench.screenshot(`source-${theme}`);
      await workbench.hover('"search": "Karim Grimaldi', 'Turn 2');
      await workbench.screenshot(`source-hover-${theme}`, true);
      await workbench.page.keyboard.press('Escape');
    });
  }

  test('a lens explains its turn', async () => {
    await workbench.theme('dark');
    const hover = workbench.page.locator('.monaco-hover:not(.hidden) .hover-contents', { hasText: 'Turn 3' });
    await workbench.untilDone(async () => {
      await workbench.lens(down).click(moment);
      await hover.first().waitFor(moment);
    });
  });

  test('a key goes from spike to spike', async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.untilDone(async () => {
      await workbench.goToLine(1);
      await workbench.page.keyboard.press('Control+F8');
      await workbench.status(/^Ln 15,/).waitFor(moment);
      await workbench.page.keyboard.press('Control+F8');
      await workbench.status(/^Ln 20,/).waitFor(moment);
    });
  });

  test('an edit makes it stale, in words', async () => {
    await workbench.page.keyboard.press('Escape');
    // Behind the quote that opens the query.
    await workbench.goToLine(10, 18);
    await workbench.page.keyboard.type('Really? ');
    await workbench.lens(`stale · ${up}`).waitFor();
    await workbench.status(/stale/).waitFor();
    await workbench.screenshot('source-stale');
  });
});
