import { expect, it } from 'vitest';
import { activityCsv } from '../../../../../main/window/calls/program-handlers.ts';
import { aCall } from '../../../../support/activity-calls.ts';

const rowsOf = (tool: string, serverName = 'Notes') =>
  activityCsv([{ ...aCall({ tool, outcome: '-32602' }), programName: 'Cursor', serverName }]);

it('writes one call a line, with a head', () => {
  const [head, row, end] = rowsOf('read').split('\r\n');
  expect(head?.split(',')).toHaveLength(row?.split(',').length ?? 0);
  expect(row).toContain('Cursor,Notes,');
  expect(row).toContain(',-32602,');
  expect(end).toBe('');
});

it.each(['=1+1', '+1', '-x', '@SUM(A1)', ' =1+1', '＝1+1', '-1+1'])(
  'lets no server write a formula: %s (PM-10)',
  (tool) => {
    expect(rowsOf(tool)).toContain(`,'${tool}`);
  },
);

it.each([';', '\t', '\n', ';  '])('lets none begin after what ends a cell elsewhere: %j (PM-10)', (end) => {
  expect(rowsOf(`a${end}=1+1${end}b`)).not.toMatch(/[;\t\n]\s*=/u);
  expect(rowsOf(`a${end}b`)).toContain(`a${end}b`);
});

it('keeps a name that has a comma, a quote or a line end in one field', () => {
  expect(rowsOf('read', 'a "b",\nc')).toContain(',"a ""b"",\nc",');
});
