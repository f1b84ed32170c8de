import { describe, expect, it } from 'vitest';
import { createSeal } from '../../../../../main/apps/make-change.ts';
import type { PlannedChange } from '../../../../../main/apps/plan/planned-change.ts';
import { programs } from '../../../../../main/apps/table/table.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';

const cursor = programs.find(({ id }) => id === 'cursor');
if (!cursor) throw new Error('no Cursor');

function planned(change: Partial<PlannedChange> = {}): PlannedChange {
  return {
    program: cursor as PlannedChange['program'],
    file: { path: '/home/ada/.cursor/mcp.json' },
    way: 'file',
    edits: [{ name: 'notes', entry: { command: '/usr/bin/postern-pipe' } }],
    before: '{}',
    after: '{"mcpServers":{}}',
    made: 'all',
    commands: [],
    secret: 'none',
    isReadByOthers: false,
    restores: false,
    shown: { before: '', after: '' },
    records: (records) => records,
    ...change,
  };
}

describe('the seal of a change of a program', () => {
  const seal = createSeal(systemRandom);
  const own = { way: 'command', before: '{"mcpServers":{"notes":{"url":"a"}}}' } as const;

  it('is the same for the same change, and another in another process', () => {
    expect(seal(planned())).toBe(seal(planned()));
    expect(createSeal(systemRandom)(planned())).not.toBe(seal(planned()));
  });

  it.each<[string, Partial<PlannedChange>]>([
    ['the path', { file: { path: '/home/ada/.cursor/mcp2.json' } }],
    ['the bytes that stand there', { before: '{ }' }],
    ['no file', { before: undefined }],
    ['the bytes that come', { after: '{"mcpServers": {}}' }],
    ['the way', { way: 'paste' }],
    ['the entry', { edits: [{ name: 'notes', entry: { command: '/usr/bin/other' } }] }],
    ['that it goes', { edits: [{ name: 'notes', entry: undefined }] }],
  ])('is another with %s', (_what, change) => {
    expect(seal(planned(change))).not.toBe(seal(planned()));
  });

  it('leaves out what else a program writes meanwhile, where its own command is run', () => {
    const busy = { ...own, before: '{"startups":8,"mcpServers":{"notes":{"url":"a"}}}' };
    expect(seal(planned(busy))).toBe(seal(planned(own)));
    const other = { ...own, before: '{"mcpServers":{"notes":{"url":"b"}}}' };
    expect(seal(planned(other))).not.toBe(seal(planned(own)));
    expect(seal(planned({ ...own, commands: [{ command: '/bin/claude', args: [] }] }))).not.toBe(seal(planned(own)));
  });
});
