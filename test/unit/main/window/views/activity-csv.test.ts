import { expect, it } from 'vitest';
import { activityCsv } from '../../../../../main/window/handlers/app-handlers.ts';
import { aCall } from '../../../../support/activity-calls.ts';

const rowsOf = (tool: string, serverName = 'Notes') =>
  activityCsv([{ ...aCall({ tool, outcome: '-32602' }), appName: 'Cursor', serverName }]);

it('writes a header row and one call per line', () => {
  const [head, row, end] = rowsOf('read').split('\r\n');
  expect(head?.split(',')).toHaveLength(row?.split(',').length ?? 0);
  expect(row).toContain('Cursor,Notes,');
  expect(row).toContain(',-32602,');
  expect(end).toBe('');
});

it.each(['=1+1', '+1', '-x', '@SUM(A1)', ' =1+1', '＝1+1', '-1+1'])(
  "neutralizes a formula in a server's text: %s (PM-10)",
  (tool) => {
    expect(rowsOf(tool)).toContain(`,'${tool}`);
  },
);

it.each([';', '\t', '\n', ';  '])('neutralizes a formula after another cell separator: %j (PM-10)', (end) => {
  expect(rowsOf(`a${end}=1+1${end}b`)).not.toMatch(/[;\t\n]\s*=/u);
  expect(rowsOf(`a${end}b`)).toContain(`a${end}b`);
});

it('keeps a name with a comma, quote or line end in one field', () => {
  expect(rowsOf('read', 'a "b",\nc')).toContain(',"a ""b"",\nc",');
});
