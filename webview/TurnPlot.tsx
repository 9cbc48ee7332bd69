import type { JSX } from 'preact';
import type { Plot } from './geometry';

export interface TurnPlotProps {
  readonly label: string;
  readonly plot: Plot;
  /** Path data drawn over the bars. */
  readonly steps?: readonly string[];
  /** Bars that the gate zeroed: outlined alone. */
  readonly hollow?: ReadonlySet<number>;
  readonly turns: number;
  readonly selected: number | undefined;
  /** What is said of the selected turn. */
  readonly spoken: string;
  readonly onSelect: (turn: number) => void;
}

/** A plot over turns that is one control: arrow keys, Home and End choose a turn, and what it shows is said. */
export function TurnPlot({ label, plot, steps = [], hollow, turns, selected, spoken, onSelect }: TurnPlotProps): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = turnFor(event.key, selected, turns);
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
  };
  return (
    <div class="plot" role="slider" tabIndex={0} aria-label={label} aria-valuemin={1} aria-valuemax={turns} aria-valuenow={selected ?? 1} aria-valuetext={spoken} onKeyDown={onKeyDown}>
      <svg viewBox={`0 0 ${plot.width} ${plot.height}`} width={plot.width} height={plot.height} aria-hidden="true">
        {plot.ticks.map(({ y, text }) => (
          <g key={text} class="tick">
            <line x1={36} x2={plot.width} y1={y} y2={y} />
            <text x={32} y={y + 4}>{text}</text>
          </g>
        ))}
        {plot.slots.map(({ slot, x, width, middle }) => (
          <g key={slot} class={slot === selected ? 'slot selected' : 'slot'} onClick={() => slot > 0 && onSelect(slot)}>
            <rect x={x} y={2} width={width} height={plot.height - 4} />
            <text x={middle} y={plot.height - 7}>{slot}</text>
          </g>
        ))}
        {plot.bars.map((bar) => (
          <rect key={bar.slot} class={`bar ${bar.sign}${hollow?.has(bar.slot) ? ' hollow' : ''}`} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
        ))}
        {steps.map((path) => (
          <path key={path} class="steps" d={path} />
        ))}
        {plot.unknown.map(({ slot, x, y }) => (
          <text key={slot} class="unknown" x={x} y={y}>?</text>
        ))}
        <line class="zero" x1={36} x2={plot.width} y1={plot.zero} y2={plot.zero} />
      </svg>
    </div>
  );
}

/** @param turns how many there are */
export function turnFor(key: string, selected: number | undefined, turns: number): number | undefined {
  const now = selected ?? 0;
  const to: Readonly<Record<string, number>> = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 1, End: turns };
  const turn = to[key];
  return turn === undefined || turns === 0 ? undefined : Math.min(turns, Math.max(1, turn));
}
