import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { createTrialStore } from '../../../../../main/storage/settings/store-layers.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function open() {
  const folder = temporaryFolder();
  const kept = openIntegrationStore({ folder, locks: createLocks(folder) });
  await kept.write(anIntegration({ id: 'kept', name: 'Kept' }));
  return { kept, trial: createTrialStore(kept) };
}

describe('createTrialStore', () => {
  it('shows what was added, changed and deleted in the trial, and keeps none of it', async () => {
    const { kept, trial } = await open();
    const before = await kept.list();
    expect(await trial.write(anIntegration({ id: 'new', name: 'New' }))).toMatchObject({ id: 'new', name: 'New' });
    expect(await trial.update('kept', (integration) => ({ ...integration, name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
    });
    expect((await trial.list()).map(({ name }) => name)).toEqual(['New', 'Renamed']);
    await trial.delete('kept');
    expect(await trial.read('kept')).toBeUndefined();
    expect(await trial.update('kept', (integration) => integration)).toBeUndefined();
    expect((await trial.list()).map(({ id }) => id)).toEqual(['new']);
    expect(await kept.list()).toEqual(before);
  });

  it('keeps the callback port, which a service may have been told', async () => {
    const { kept, trial } = await open();
    await trial.updateSettings((settings) => ({ ...settings, callbackPort: 4_711 }));
    expect(await kept.settings()).toMatchObject({ callbackPort: 4_711 });
  });
});
