import { describe, expect, it } from 'vitest';

import { jsonListing, textListing } from '../../../src/cli/listing';
import { cells } from '../../../src/cli/plainText';
import type { RecordSummary } from '../../../src/trajectory/summary';

const summary: RecordSummary = { question: 'Who wrote it?', turns: 1, queries: ['it'], answer: 'Ann Lee', answers: ['Lee'], findings: [], lines: [] };

describe('turnlens index', () => {
  it('writes one JSON object a file, piece by piece', () => {
    const listing = jsonListing();
    const pieces = [listing.begin('a.jsonl', 'verl'), listing.record(0, summary), listing.record(2, { ...summary, turns: 0, queries: [] }), listing.end([{ record: 1, message: 'It is damaged.' }])];
    expect(pieces.join('')).toBe(
      '{"version":1,"file":"a.jsonl","format":"verl","records":[' +
        '{"record":0,"question":"Who wrote it?","turns":1,"queries":["it"],"answer":"Ann Lee","answers":["Lee"],"findings":[]},' +
        '{"record":2,"question":"Who wrote it?","turns":0,"queries":[],"answer":"Ann Lee","answers":["Lee"],"findings":[]}' +
        '],"problems":[{"record":1,"message":"It is damaged."}]}\n',
    );
  });

  it('writes a line a rollout for people, within the terminal', () => {
    const listing = textListing(60);
    expect(listing.begin('a.jsonl', 'verl')).toBe('a.jsonl (verl)\n');
    const line = listing.record(12, { ...summary, question: '北京\u001b[2J '.repeat(40) });
    expect(line).toMatch(/^ {3}12 {2}北京␛\[2J.*… · 1 turn · answer Ann Lee\n$/);
    expect(cells(line.trimEnd())).toBeLessThanOrEqual(60);
  });
});
