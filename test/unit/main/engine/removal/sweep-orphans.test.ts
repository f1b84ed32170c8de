import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registrationKey } from '../../../../../main/engine/records/stored-secrets.ts';
import { forgetIntegration, sweepOrphans } from '../../../../../main/engine/removal/remove-integration.ts';
import type { VaultKey } from '../../../../../main/ports.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { openProfileEngine } from '../../../../support/profile-engine.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const issuer = 'https://login.example';
const redirectUri = 'http://127.0.0.1:4711/integration/oauth/callback';
const entry = (id: string) => anIntegration({ id, name: id, method: 'OAuthWithDCR', issuerKey: issuer, redirectUri });
const tokens = (owner: string): VaultKey => ({ kind: 'tokens', owner, issuerKey: issuer });

/** Two servers that are signed in to one service, and a record without an owner. */
async function profile() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'config.json');
  const { ports, close } = openProfileEngine(folder);
  onTestFinished(close);
  const vault = await ports.vault();
  for (const id of ['one', 'two']) await ports.store.write(entry(id));
  for (const owner of ['one', 'two', 'nobody']) await vault.write(tokens(owner), { access: owner });
  const edit = (from: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  const owners = async () => (await vault.owners()).toSorted();
  return { file, ports, vault, edit, owners };
}

describe('sweepOrphans', () => {
  it('deletes records that belong to no entry of an intact list', async () => {
    const { ports, owners } = await profile();
    await sweepOrphans(ports);
    expect(await owners()).toEqual(['one', 'two']);
  });

  it.each<[string, string, string]>([
    ['cannot be read', '"version": 1,', '"version": 1'],
    ['has an invalid entry', '"id": "one"', '"id": "One"'],
    ['is under another name', '"integrations"', '"integration"'],
    ['is empty but has an unknown member', '"integrations"', '"integrations": [], "old"'],
    ['has a newer version', '"version": 1', '"version": 2'],
  ])('deletes nothing if the list %s', async (_, from, to) => {
    const { ports, edit, owners } = await profile();
    edit(from, to);
    await sweepOrphans(ports);
    expect(await owners()).toEqual(['nobody', 'one', 'two']);
    edit(to, from);
    await sweepOrphans(ports);
    expect(await owners()).toEqual(['one', 'two']);
  });

  it('deletes nothing if the file and every copy of it are gone', async () => {
    const { file, ports, owners } = await profile();
    for (const each of [file, file.replace('.json', '.last-good.json')]) rmSync(each);
    await sweepOrphans(ports);
    expect(await owners()).toEqual(['nobody', 'one', 'two']);
  });
});

describe('forgetIntegration', () => {
  it('keeps a registration that an unreadable entry may use', async () => {
    const { ports, vault, edit } = await profile();
    await vault.write(registrationKey(redirectUri, issuer), { clientId: 'shared' });
    edit('"id": "one"', '"id": "One"');
    expect((await forgetIntegration(ports, entry('two'))).registration).toBeUndefined();
    expect(await vault.read(registrationKey(redirectUri, issuer))).toEqual({ clientId: 'shared' });
  });
});
