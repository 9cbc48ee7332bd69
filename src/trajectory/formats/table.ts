import type { Dialect } from '../dialect';
import { atif } from './atif';
import { browseComp } from './browseComp';
import { codexLog } from './codexLog';
import { eventLog } from './eventLog';
import { flatRow } from './flatRow';
import type { RowFormat } from './format';
import { geminiLog } from './geminiLog';
import { igpo, igpoMessages } from './igpo';
import { inspect } from './inspect';
import { interCode } from './interCode';
import { langgraph } from './langgraph';
import { lotapo } from './lotapo';
import { messageList } from './messageList';
import { messages } from './messages';
import { miniSweAgent } from './miniSweAgent';
import { miroflow } from './miroflow';
import { openHands } from './openHands';
import { r1SearcherEval, r1SearcherRewards } from './r1Searcher';
import { react } from './react';
import { responses } from './responses';
import { rllm } from './rllm';
import type { Row } from './row';
import { searchO1 } from './searchO1';
import { sessionLog } from './sessionLog';
import { skyrl } from './skyrl';
import { slime } from './slime';
import { stepTrace } from './stepTrace';
import { sweAgent } from './sweAgent';
import { sweAgentChat } from './sweAgentChat';
import { tauBench } from './tauBench';
import { tips } from './tips';
import { verifiers } from './verifiers';
import { verl } from './verl';

/** Every format whose records are JSON, in the order in which they are tried: the surest marks first, text with tags last. */
export const rowFormats: readonly RowFormat[] = [
  atif,
  lotapo,
  sweAgent,
  sweAgentChat,
  miniSweAgent,
  interCode,
  openHands,
  tauBench,
  sessionLog,
  codexLog,
  geminiLog,
  eventLog,
  stepTrace,
  responses,
  browseComp,
  rllm,
  igpo,
  igpoMessages,
  tips,
  slime,
  skyrl,
  r1SearcherEval,
  r1SearcherRewards,
  searchO1,
  react,
  inspect,
  langgraph,
  miroflow,
  messages,
  messageList,
  verifiers,
  verl,
  flatRow,
];

/** The format of a row; `undefined`: none knows it. */
export const formatOfRow = (row: Row, cut = false, own?: readonly Dialect[]): RowFormat | undefined => rowFormats.find(({ matches }) => matches(row, cut, own));

/** The format of a file whose lines are the steps of one record; `undefined`: they are none. */
export const formatOfLines = (rows: readonly Row[], more: boolean): RowFormat | undefined =>
  rows.length === 0 ? undefined : rowFormats.find(({ lines }) => lines?.(rows, more) === true);

export const findFormat = (id: string): RowFormat | undefined => rowFormats.find((format) => format.id === id);
