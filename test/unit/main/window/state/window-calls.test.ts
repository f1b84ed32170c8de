import { describe, expect, it } from 'vitest';
import { CallResults } from '../../../../../main/window/state/window-calls.ts';
import { contentPieces, jsonPiece } from '../../../../../main/window/views/describe-mcp.ts';
import type { AnyContent } from '../../../../../main/window/views/describe-mcp.ts';

function resultsWith(...content: AnyContent[]): CallResults {
  const results = new CallResults();
  results.store('a', contentPieces(content));
  return results;
}

describe('CallResults', () => {
  it('IP-24 derives a file name from known types only', () => {
    const nameOf = (mimeType: string): string =>
      resultsWith({ type: 'resource', resource: { blob: 'aGVsbG8=', mimeType } }).file('a', 0).name;
    expect(nameOf('text/csv')).toBe('result.csv');
    for (const mimeType of ['constructor', '__proto__', 'toString', 'x/y']) expect(nameOf(mimeType)).toBe('result.bin');
  });

  it('IP-24 copies and saves all of a result that is shown in part', () => {
    const rows = Array.from({ length: 700 }, (_, row) => ({ row, text: `${'x'.repeat(5_000)}\u202e` }));
    const results = new CallResults();
    const long = `${'y'.repeat(300_000)}\u202e`;
    results.store('a', [...contentPieces([{ type: 'text', text: long }]), jsonPiece({ rows })]);
    const plain = rows.map(({ row, text }) => ({ row, text: text.slice(0, -1) }));
    expect(results.text('a')).toBe(`${long.slice(0, -1)}\n\n${JSON.stringify({ rows: plain }, null, 2)}`);
    expect(results.file('a', undefined).bytes.toString()).toBe(`${long}\n\n${JSON.stringify({ rows }, null, 2)}`);
    expect(JSON.parse(results.file('a', 1).bytes.toString())).toEqual({ rows });
  });

  it('IP-24 copies what is shown, and saves what was received', () => {
    const results = resultsWith({ type: 'text', text: 'run\u202e this\u200b' }, { type: 'text', text: 'b' });
    expect(results.text('a')).toBe('run this\n\nb');
    expect(results.file('a', undefined).bytes.toString()).toBe('run\u202e this\u200b\n\nb');
    expect(results.file('a', 0).bytes.toString()).toBe('run\u202e this\u200b');
  });
});
