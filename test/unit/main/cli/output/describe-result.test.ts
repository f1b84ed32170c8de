import { describe, expect, it } from 'vitest';
import { describeResult } from '../../../../../main/cli/output/describe-result.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const text = (value: string) => ({ type: 'text' as const, text: value });

describe('describeResult', () => {
  it('indents JSON that a tool returns as text', () => {
    expect(describeResult({ content: [text('{"a":[1]}')] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(describeResult({ content: [], structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}');
  });

  it('does not indent a result that would become many times as long', () => {
    const content = Array.from({ length: 20 }, () => text(nested(3_000)));
    expect(describeResult({ content })).toBe(content.map((block) => block.text).join('\n'));
    const wide = text(`[${'[[1,1]],'.repeat(40_000)}1]`);
    expect(describeResult({ content: [wide] })).toBe(wide.text);
    const structuredContent = JSON.parse(`{"a":${nested(100)}}`) as Record<string, unknown>;
    expect(describeResult({ content: [], structuredContent })).toBe(JSON.stringify(structuredContent));
  });
});
