import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { moment, Workbench } from './workbench';

const asked = { step_id: 1, source: 'user', message: 'Who is the spouse of Jasper Weber?' };
const step = (step_id: number, query: string, content: string, more: object = {}): object => ({
  step_id,
  source: 'agent',
  message: 'I look it up.',
  reasoning_content: `What is known of ${query}?`,
  tool_calls: [{ tool_call_id: `c${step_id}`, function_name: 'search', arguments: { query } }],
  observation: { results: [{ source_call_id: `c${step_id}`, content, ...more }] },
});
const answer = (step_id: number, message: string): object => ({ step_id, source: 'agent', message });
/** As another agent writes it: a sub-agent within, a reference to a file elsewhere. */
const document = {
  schema_version: 'ATIF-v1.7',
  agent: { name: 'planner', version: '1.0', model_name: 'm' },
  steps: [
    asked,
    step(2, 'Jasper Weber', 'Jasper Weber is married to Ines Ferrara.', { subagent_trajectory_ref: [{ trajectory_id: 't1' }] }),
    step(3, 'Ines Ferrara', 'Ines Ferrara is a painter.', { subagent_trajectory_ref: [{ trajectory_path: 'elsewhere.json' }] }),
    answer(4, 'Ines Ferrara'),
  ],
  extra: { answers: ['Ines Ferrara'] },
  subagent_trajectories: [
    { schema_version: 'ATIF-v1.7', trajectory_id: 't1', agent: { name: 'searcher', version: '1.0' }, steps: [{ ...asked, message: 'Find the spouse.' }, step(2, 'spouse of Weber', 'A register of marriages.'), answer(3, 'Ferrara')] },
  ],
};

describe('a document of another agent (ATIF)', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start();
    writeFileSync(path.join(workbench.folder, 'planner.trajectory.json'), JSON.stringify(document, undefined, 2));
    await workbench.open('planner.trajectory.json');
    await workbench.run('Turnlens: Open Transcript');
    await workbench.lens('2 turns, not scored').waitFor();
  });
  afterAll(() => workbench?.close());

  test('reads as turns, with what stands beside them named where it belongs', async () => {
    for (const text of ['search: {"name":"search","arguments":{"query":"Jasper Weber"}}', 'sub-agent: searcher (1 turn)', 'answer: Ines Ferrara']) await workbench.line(text).waitFor();
    await workbench.screenshot('atif-transcript');
  });

  test('its turns are scored', async () => {
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.lens(/outcome 1\.00/).waitFor();
    await workbench.screenshot('atif-scored');
  });

  test('is saved as a document with its scores', async () => {
    await workbench.run('Turnlens: Save Record as ATIF');
    await workbench.page.locator('.tab.active', { hasText: 'planner-0.trajectory.json' }).waitFor();
    await workbench.line('"schema_version": "ATIF-v1.7"').waitFor();
    await workbench.screenshot('atif-saved');
  });

  test('a sub-agent opens from it as a transcript of its own, and comes back after a reload', async () => {
    await workbench.untilDone(async () => {
      await workbench.page.locator('.tab', { hasText: 'record 0.transcript' }).click(moment);
      await workbench.page.locator('.tab.active', { hasText: 'record 0.transcript' }).waitFor(moment);
    });
    // From the keyboard: the line is drawn anew while its figures come, under whatever is about to click it.
    await workbench.line('sub-agent: searcher').locator('.detected-link').first().waitFor();
    await workbench.untilDone(async () => {
      await workbench.goToLine(16);
      await workbench.run('Open Link');
      await workbench.page.locator('.tab.active', { hasText: 'record 0 · searcher.transcript' }).waitFor(moment);
    });
    await workbench.lens('1 turn, not scored').waitFor();
    for (const text of ['Question: Find the spouse.', 'Line: searcher']) await workbench.line(text).waitFor();
    await workbench.screenshot('atif-sub-agent');
    await workbench.reload();
    for (const text of ['Line: searcher', 'A register of marriages.']) await workbench.line(text).waitFor();
  });

  test('stands in the Rollouts view below its main line', async () => {
    const list = workbench.page.locator('.pane-body .monaco-list:focus-within');
    await workbench.untilDone(async () => {
      await workbench.run('Turnlens: Show in Rollouts');
      await list.locator('.monaco-list-row.selected.focused', { hasText: 'sub-agent · at turn 1' }).waitFor({ timeout: 30_000 });
      await workbench.page.keyboard.press('ArrowLeft');
      await list.locator('.monaco-list-row.focused', { hasText: '1 line beside' }).waitFor(moment);
    });
    await workbench.screenshot('atif-rollouts');
  });
});
