import { describe, expect, it } from 'vitest';
import type { Integration } from '../../shared/integration.ts';
import { anIntegration } from '../support/an-integration.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

async function openWith(...servers: readonly Partial<Integration>[]): Promise<TestDesktop> {
  const desktop = await createTestDesktop();
  for (const server of servers) await desktop.engine.ports.store.write(anIntegration(server));
  return desktop;
}

const nameOf = async ({ engine }: TestDesktop, id: string): Promise<string | undefined> =>
  (await engine.ports.store.read(id))?.name;

describe('renaming a server in the window', () => {
  it('rejects a name that another server has, in any case', async () => {
    const desktop = await openWith({ id: 'notes', name: 'Notes' }, { id: 'mail', name: 'Mail' });
    expect(await desktop.callFailing('integration:update', { id: 'notes', name: 'MAIL' })).toMatchObject({
      code: 'NAME_TAKEN',
      detail: { name: 'Mail' },
    });
    await desktop.call('integration:update', { id: 'notes', name: 'NOTES' });
    expect(await nameOf(desktop, 'notes')).toBe('NOTES');
  });

  it.each(['\u200b', '\u202e\u2066', '--all', '+notes'])(
    'rejects a name that cannot be shown or typed: %j',
    async (name) => {
      const desktop = await openWith({ id: 'notes', name: 'Notes' });
      const options = { scope: 'read' };
      expect(await desktop.callFailing('integration:update', { id: 'notes', name, options })).toMatchObject({
        code: 'NAME_INVALID',
      });
      expect(await desktop.engine.ports.store.read('notes')).toMatchObject({
        name: 'Notes',
        options: anIntegration().options,
      });
    },
  );

  it('stores the name as shown', async () => {
    const desktop = await openWith({ id: 'notes', name: 'Notes' });
    await desktop.call('integration:update', { id: 'notes', name: 'Team\u202e notes' });
    expect(await nameOf(desktop, 'notes')).not.toContain('\u202e');
  });
});

it.each(['integration:refresh', 'integration:signInAgain', 'integration:switchAccount'] as const)(
  'rejects %s for a server with an API key',
  async (call) => {
    const options = { ...anIntegration().options, headerName: 'X-API-Key' };
    const keyed = { id: 'keyed', method: 'NoAuth', options } as const;
    const desktop = await openWith(keyed, { ...keyed, id: 'out', name: 'Out', state: 'signedOut' });
    expect(await desktop.callFailing(call, { id: 'keyed' })).toMatchObject({ code: 'API_KEY_INSTEAD' });
    expect(await desktop.callFailing(call, { id: 'out' })).toMatchObject({ code: 'API_KEY_MISSING' });
    expect(desktop.mirror.connections ?? []).toEqual([]);
  },
);

it.each(['integration:refresh', 'integration:signInAgain', 'integration:switchAccount'] as const)(
  'rejects %s for a server on this computer, which has no sign-in, and logs nothing',
  async (call) => {
    const command = { command: 'true', path: '/usr/bin/true', arguments: [], variables: [] };
    const desktop = await openWith({ id: 'here', url: 'local://here', name: 'Here', method: 'NoAuth', command });
    expect(await desktop.callFailing(call, { id: 'here' })).toMatchObject({ code: 'NO_SIGN_IN', blame: 'nobody' });
    expect(desktop.mirror.connections ?? []).toEqual([]);
    expect((await desktop.call('integration:events', { id: 'here' })).events).toEqual([]);
  },
);

it('names the servers that an exported list leaves out because they run on this computer', async () => {
  const command = { command: 'true', path: '/usr/bin/true', arguments: [], variables: [] };
  const desktop = await openWith(
    { id: 'notes', name: 'Notes' },
    { id: 'here', name: 'Here', method: 'NoAuth', command },
  );
  expect(await desktop.call('list:export', {})).toEqual({ saved: true, leftOut: ['Here'] });
});
