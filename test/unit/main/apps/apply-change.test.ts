import { describe, expect, it } from 'vitest';
import { createChangeFingerprint } from '../../../../main/apps/apply-change.ts';
import type { PlannedChange } from '../../../../main/apps/plan/planned-change.ts';
import { apps } from '../../../../main/apps/table/apps.ts';
import { systemRandom } from '../../../../main/host/system-ports.ts';

const cursor = apps.find(({ id }) => id === 'cursor');
if (!cursor) throw new Error('no Cursor');

function planned(change: Partial<PlannedChange> = {}): PlannedChange {
  return {
    app: cursor as PlannedChange['app'],
    file: { path: '/home/ada/.cursor/mcp.json' },
    method: 'file',
    edits: [{ name: 'notes', entry: { command: '/usr/bin/postern-pipe' } }],
    before: '{}',
    after: '{"mcpServers":{}}',
    made: 'all',
    commands: [],
    secret: 'none',
    isReadableByOthers: false,
    restores: false,
    shown: { before: '', after: '' },
    records: (records) => records,
    ...change,
  };
}

describe('createChangeFingerprint', () => {
  const fingerprint = createChangeFingerprint(systemRandom);
  const own = { method: 'command', before: '{"mcpServers":{"notes":{"url":"a"}}}' } as const;

  it('is stable within a process, and differs between processes', () => {
    expect(fingerprint(planned())).toBe(fingerprint(planned()));
    expect(createChangeFingerprint(systemRandom)(planned())).not.toBe(fingerprint(planned()));
  });

  it.each<[string, Partial<PlannedChange>]>([
    ['the path', { file: { path: '/home/ada/.cursor/mcp2.json' } }],
    ['the current bytes', { before: '{ }' }],
    ['no file', { before: undefined }],
    ['the new bytes', { after: '{"mcpServers": {}}' }],
    ['the method', { method: 'paste' }],
    ['the entry', { edits: [{ name: 'notes', entry: { command: '/usr/bin/other' } }] }],
    ['a removal', { edits: [{ name: 'notes', entry: undefined }] }],
  ])('changes with %s', (_what, change) => {
    expect(fingerprint(planned(change))).not.toBe(fingerprint(planned()));
  });

  it('ignores what a running app writes elsewhere in its file if its own CLI makes the change', () => {
    const busy = { ...own, before: '{"startups":8,"mcpServers":{"notes":{"url":"a"}}}' };
    expect(fingerprint(planned(busy))).toBe(fingerprint(planned(own)));
    const other = { ...own, before: '{"mcpServers":{"notes":{"url":"b"}}}' };
    expect(fingerprint(planned(other))).not.toBe(fingerprint(planned(own)));
    expect(fingerprint(planned({ ...own, commands: [{ command: '/bin/claude', args: [] }] }))).not.toBe(
      fingerprint(planned(own)),
    );
  });
});
