import { describe, expect, it } from 'vitest';
import { describeTool } from '../../../../../main/cli/output/describe-capabilities.ts';
import type { Tool } from '../../../../../main/mcp/client/call-tool.ts';

const tool = (properties: NonNullable<Tool['inputSchema']['properties']>, required: string[] = []): Tool => ({
  name: 'create_note',
  title: 'Create a note',
  description: 'Writes it down.',
  inputSchema: { type: 'object' as const, properties, required },
});

describe('describeTool', () => {
  it('lists parameters, and marks optional ones with a question mark', () => {
    const text = describeTool(tool({ text: { type: 'string' }, pinned: { enum: [true, 'later'] } }, ['text']));
    expect(text).toBe('create_note(text: string, pinned?: true|"later")  Create a note\n    Writes it down.');
  });

  it('shows some of thousands of parameters and counts the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const [line = ''] = describeTool(tool(many)).split('\n');
    expect(line).toContain('p23?: string, … 4976 more)');
    expect(line.length).toBeLessThan(2_000);
  });

  it('removes terminal control characters from names', () => {
    expect(describeTool(tool({ 'a\u001B[31m': { type: '\u202Estring' } }))).not.toMatch(/[\u001B\u202E]/u);
  });

  it.each([{ type: { toString: null } }, { type: [[['string']]] }, { type: null }, { enum: [{ toString: null }] }])(
    'shows a tool whose parameter has an odd schema (%j)',
    (schema) => {
      expect(describeTool(tool({ a: schema }))).toMatch(/^create_note\(a\?: (?:any|\{"toString":null\})\)/u);
    },
  );
});
