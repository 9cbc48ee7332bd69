import { describe, expect, it } from 'vitest';

import { cells } from '../../../src/cli/plainText';
import { scoreTable } from '../../../src/cli/scoreTable';
import { oasesAlone, scores, trajectory } from './example';

describe('the table of turnlens score', () => {
  it('has a row for each turn, the reasons below and what the figures came from', () => {
    expect(scoreTable({ file: 'a.traj', record: 0 }, trajectory, scores, 110)).toMatchInlineSnapshot(`
      "── a.traj · record 0 ───
      question     Who wrote it?
      gold         “Ann Lee”, “Lee” · the gains use “Ann Lee”
      answer       “Ann Lee” · outcome 1.00 (f1)

           query                γ      r      Δ      b      Â      Ã  gate  A
      ▲ 1  it           0.00→0.50  +0.25  +1.31  +0.90  +1.00  +1.00  kept  ?
        2  (no search)  0.50→0.50   0.00      ?      ?      ?      ?     ?  ?

      summary      Σr +0.25 = α(γ_T − γ_0) +0.25 · S(C) −0.12 · scale 1.3100 · A_out ? · advantages over this
                   trajectory alone (1 eligible turn)
      undefined    A_out (officially 0.00), A_1 (officially +0.49), A_2 (officially +0.49): a group of one
      undefined    Δ_2, Â_2, Ã_2: no search
      warning      turn 2: The policy wrote it.
      policy       demo sha256:aaaaaaaaaaaa · contract sha256:bbbbbbbbbbbb · cpu float32, activations fp32 · f1, α
                   0.5, λ 0.5, ε 0.000001, gold first, replace turn · turnlens 0.1.0, onnxruntime 1.30.0
      "
    `);
  });

  it('has a row for each of many turns', () => {
    const turns = Array.from({ length: 200_000 }, () => scores.turns).flatMap(([first]) => first ?? []);
    expect(scoreTable({ file: 'a.traj', record: 0 }, trajectory, { ...scores, turns }, 110).split('\n').length).toBeGreaterThan(turns.length);
  });

  it('has no columns of a method that did not run', () => {
    const table = scoreTable({ file: 'a.traj', record: 0 }, trajectory, oasesAlone, 110);
    expect(table).toContain('γ');
    expect(table).not.toMatch(/Δ|gate|S\(C\)/);
  });

  it('sends nothing of a file’s own to the terminal and keeps to its width', () => {
    const hostile = { ...trajectory, question: '\u001b[2J北京 '.repeat(30), answers: ['\u009b31m'], turns: trajectory.turns.map((t) => ({ ...t, queries: ['\u001b]0;x\u0007 大'.repeat(40)] })) };
    const table = scoreTable({ file: '\u001b[1m.traj', record: 0 }, hostile, scores, 80);
    expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(Math.max(...table.split('\n').map(cells))).toBeLessThanOrEqual(80);
  });
});
