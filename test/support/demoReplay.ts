import { afterAll, beforeAll } from 'vitest';
import type { Decoder } from '../../src/policy/decoder';
import type { LoadedPolicy } from '../../src/policy/load';
import { demoPolicy } from './fixtures';
import { loadHere } from './replayHere';
import { uneditedDecoder } from './unedited';

export interface DemoReplay {
  /** As replay runs it. */
  readonly policy: LoadedPolicy;
  /** The graph as it was exported, to run in full. */
  readonly exported: Decoder;
}

/** The demo policy for the tests of one file, which this loads before them and releases behind them. */
export function useDemoPolicy(): DemoReplay {
  let loaded: DemoReplay | undefined;
  const there = (): DemoReplay => {
    if (!loaded) throw new Error('The demo policy is loaded before the first test, and not earlier.');
    return loaded;
  };
  beforeAll(async () => {
    loaded = { policy: await loadHere(demoPolicy), exported: await uneditedDecoder(demoPolicy) };
  });
  afterAll(async () => {
    await loaded?.policy.decoder.release();
    await loaded?.exported.release();
  });
  return {
    get policy() {
      return there().policy;
    },
    get exported() {
      return there().exported;
    },
  };
}
