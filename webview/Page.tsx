import type { JSX } from 'preact';
import type { Figure, Snapshot } from '../src/panel/contract';
import { Button, Table } from './controls';
import { barPlot, staircase } from './geometry';
import { TurnPlot } from './TurnPlot';

export interface PageProps {
  readonly snapshot: Snapshot;
  readonly selected: number | undefined;
  /** What the host could not do. */
  readonly failure: string | undefined;
  readonly onSelect: (turn: number) => void;
  readonly onRescore: () => void;
}

const words = ({ text, reason }: Figure): string => reason ?? text;

export function Page({ snapshot, selected, failure, onSelect, onRescore }: PageProps): JSX.Element {
  if (snapshot.kind === 'empty') return <p>{snapshot.message}</p>;
  const { states, turns } = snapshot;
  const scored = states.length > 0 || turns.some(({ gain }) => gain.text !== 'not scored');
  const chosen = turns.find(({ index }) => index === selected);
  const said = (text: (turn: (typeof turns)[number]) => string): string => (chosen ? `Turn ${chosen.index}: ${text(chosen)}` : 'No turn selected');
  const after = (turn: number): Figure => states[turn]?.answerability ?? { text: 'not scored' };
  const stairs = staircase(
    states.map((s) => s.answerability),
    turns.map((t) => t.reward),
  );
  const shared = { turns: turns.length, selected, onSelect };
  const gated = turns.map(({ gated: figure, advantage, gate }) => (gate === 'zeroed' ? advantage : figure));
  const zeroed = new Set(turns.filter(({ gate }) => gate === 'zeroed').map(({ index }) => index));
  return (
    <>
      <header>
        <h1>{snapshot.title}</h1>
        <p>{snapshot.question}</p>
        <p class={snapshot.stale ? 'stale' : ''}>
          {snapshot.stale ? 'Stale: ' : ''}
          {snapshot.summary}
        </p>
        {snapshot.provenance === undefined ? null : <p class="quiet">{snapshot.provenance}</p>}
        <Button onClick={onRescore}>Re-score</Button>
        <p role="status">{failure ?? ''}</p>
      </header>
      {!scored ? (
        <Table
          label="Turns"
          columns={[{ name: 'Turn' }, { name: 'Query', isWide: true }]}
          rows={turns.map((t) => ({ key: t.index, cells: [String(t.index), t.query] }))}
          selected={selected}
          onSelect={onSelect}
        />
      ) : (
        <>
          <section>
            <h2>Answerability γ and process reward r</h2>
            <TurnPlot
              {...shared}
              label="Answerability and process reward by turn"
              plot={stairs}
              steps={stairs.steps}
              spoken={said((t) => `answerability ${words(after(t.index))}, reward ${words(t.reward)}`)}
            />
            <Table
              label="Answerability and process reward"
              columns={[{ name: 'Turn' }, { name: 'Query', isWide: true }, { name: 'Answer after it', isWide: true }, { name: 'γ' }, { name: 'r' }]}
              rows={states.map((state) => {
                const turn = turns[state.index - 1];
                return { key: state.index, cells: [state.index === 0 ? 'before' : `${turn?.shape ?? ''} ${state.index}`, turn?.query ?? '', state.answer, words(state.answerability), turn ? words(turn.reward) : ''] };
              })}
              selected={selected}
              onSelect={(turn) => turn > 0 && onSelect(turn)}
            />
          </section>
          <section>
            <h2>Gain Δ, nats a token</h2>
            <TurnPlot {...shared} label="Gain by turn" plot={barPlot(turns.map((t) => t.gain))} spoken={said((t) => `gain ${words(t.gain)}`)} />
            <h2>Gated advantage Ã</h2>
            <p class="quiet">Outlined: an advantage that the gate set to zero.</p>
            <TurnPlot {...shared} label="Gated advantage by turn" plot={barPlot(gated)} hollow={zeroed} spoken={said((t) => `gated advantage ${words(t.gated)}, gate ${t.gate}`)} />
            <Table
              label="Gain and gated advantage"
              columns={[{ name: 'Turn' }, { name: 'Query', isWide: true }, { name: 'Δ' }, { name: 'Â' }, { name: 'Gate' }, { name: 'Ã' }]}
              rows={turns.map((t) => ({ key: t.index, cells: [`${t.shape} ${t.index}`, t.query, words(t.gain), words(t.advantage), t.gate, words(t.gated)] }))}
              selected={selected}
              onSelect={onSelect}
            />
          </section>
        </>
      )}
    </>
  );
}
