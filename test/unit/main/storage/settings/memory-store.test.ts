import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { createMemoryStore } from '../../../../../main/storage/settings/store-layers.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function open() {
  const folder = temporaryFolder();
  const stored = openIntegrationStore({ folder, locks: createLocks(folder) });
  await stored.write(anIntegration({ id: 'stored', name: 'Stored' }));
  return { stored, memory: createMemoryStore(stored) };
}

describe('createMemoryStore', () => {
  it('shows what was added, changed and deleted in memory, and stores none of it', async () => {
    const { stored, memory } = await open();
    const before = await stored.list();
    expect(await memory.write(anIntegration({ id: 'new', name: 'New' }))).toMatchObject({ id: 'new', name: 'New' });
    expect(await memory.update('stored', (integration) => ({ ...integration, name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
    });
    expect((await memory.list()).map(({ name }) => name)).toEqual(['New', 'Renamed']);
    await memory.delete('stored');
    expect(await memory.read('stored')).toBeUndefined();
    expect(await memory.update('stored', (integration) => integration)).toBeUndefined();
    expect((await memory.list()).map(({ id }) => id)).toEqual(['new']);
    expect(await stored.list()).toEqual(before);
  });

  it('stores the callback port, which may be registered with a service', async () => {
    const { stored, memory } = await open();
    await memory.updateSettings((settings) => ({ ...settings, callbackPort: 4_711 }));
    expect(await stored.settings()).toMatchObject({ callbackPort: 4_711 });
  });
});
