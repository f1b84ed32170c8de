import { expect, it } from 'vitest';
import { findSameCommand, indexCommand, indexCommands } from '../../../../../main/engine/connect/connect-local.ts';
import { saveCommand } from '../../../../../main/engine/records/local-consent.ts';
import type { Vault } from '../../../../../main/ports.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createTestEngine } from '../../../../support/test-engine.ts';

const command = { command: 'notes', path: '/usr/bin/notes', arguments: [], variables: ['API_KEY'] };

it('reads the stored values of each server once, however many share a command', async () => {
  const { ports } = createTestEngine();
  const vault = await ports.vault();
  let reads = 0;
  const counting = async (): Promise<Pick<Vault, 'read'>> => ({
    read: (key) => {
      reads += 1;
      return vault.read(key);
    },
  });
  const servers = Array.from({ length: 20 }, (_, index) => anIntegration({ id: `id-${index}`, command }));
  for (const [index, { id }] of servers.entries())
    await saveCommand(vault, id, command, { values: { API_KEY: `key-${index}` }, isAllowed: index === 0 });
  const [first, ...others] = servers;
  const commands = indexCommands(first ? [first] : []);
  for (const [index, server] of others.entries()) {
    const values = { API_KEY: `key-${index + 1}` };
    expect(await findSameCommand(counting, { command, values }, commands)).toBeUndefined();
    indexCommand(commands, server, command);
  }
  for (const [index, integration] of servers.entries())
    expect(await findSameCommand(counting, { command, values: { API_KEY: `key-${index}` } }, commands)).toEqual({
      integration,
      isAllowed: index === 0,
    });
  expect(reads).toBe(servers.length);
});
