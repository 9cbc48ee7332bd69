import { render } from 'preact';
import type { Snapshot } from '../src/panel/contract';
import { Host } from './host';
import { Page } from './Page';
import { selectedIn } from './selection';
import './style.css';

/** Keeps what is shown and selected, and draws it anew when it changes. */
function start(root: HTMLElement): void {
  let snapshot: Snapshot = { kind: 'empty', message: 'Reading the trajectory…' };
  let failure: string | undefined;
  const host = new Host(show);
  let selected: number | undefined;

  function show(next: Snapshot): void {
    snapshot = next;
    if (next.kind === 'trajectory') choose(selectedIn(next, host.kept));
    draw();
  }

  function choose(turn: number | undefined): void {
    selected = turn;
    if (turn !== undefined && snapshot.kind === 'trajectory') host.keep({ document: snapshot.document, selected: turn });
  }

  const ask = (answered: Promise<unknown>): void => {
    answered.then(
      () => said(undefined),
      (error: Error) => said(error.message),
    );
  };

  function said(message: string | undefined): void {
    if (failure === message) return;
    failure = message;
    draw();
  }

  function select(turn: number): void {
    choose(turn);
    draw();
    ask(host.request('select', { turn }));
  }

  function draw(): void {
    render(<Page snapshot={snapshot} selected={selected} failure={failure} onSelect={select} onRescore={() => ask(host.request('rescore', null))} />, root);
  }

  draw();
  ask(host.request('snapshot', null).then(show));
}

const root = document.getElementById('page');
if (root) start(root);
