import { expect, it } from 'vitest';
import { renameIntegration } from '../../../../main/operations/servers.ts';
import { anIntegration } from '../../../support/an-integration.ts';
import { createMemoryLocks } from '../../../support/memory-locks.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';

async function open() {
  const store = createMemoryStore();
  const notes = await store.write(anIntegration({ id: 'a1', name: 'Notes', alias: 'notes' }));
  await store.write(anIntegration({ id: 'b2', name: 'Mail', alias: 'mail' }));
  return { ports: { store, locks: createMemoryLocks() }, notes };
}

it('keeps the alias, since app configurations contain it', async () => {
  const { ports, notes } = await open();
  expect(await renameIntegration(ports, notes, ' Work\u202e ')).toMatchObject({
    id: 'a1',
    name: 'Work',
    alias: 'notes',
  });
});

it('refuses the name of another server, in any case, which would be ambiguous in commands', async () => {
  const { ports, notes } = await open();
  await expect(renameIntegration(ports, notes, 'MAIL')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect(await renameIntegration(ports, notes, 'NOTES')).toMatchObject({ name: 'NOTES' });
});

it('refuses the name of a removed server that can still be restored', async () => {
  const { ports, notes } = await open();
  await ports.store.changeList(({ integrations, pendingDeletions }) => ({
    integrations: integrations.filter(({ id }) => id !== 'b2'),
    pendingDeletions: [
      ...pendingDeletions,
      { kind: 'remove', startedAt: 0, integration: anIntegration({ id: 'b2', name: 'Mail' }) } as never,
    ],
  }));
  await expect(renameIntegration(ports, notes, 'Mail')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
});

it('reports a server that was removed meanwhile', async () => {
  const { ports, notes } = await open();
  await ports.store.delete('a1');
  await expect(renameIntegration(ports, notes, 'Work')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
