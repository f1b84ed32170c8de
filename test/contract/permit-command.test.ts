import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderSettingsDocument, settingsVersion } from '../../main/storage/settings/settings-document.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('shows and sets which tools programs may call, and refuses what it does not know', async () => {
  const home = temporaryFolder();
  const integrations = [anIntegration({ id: 'one', name: 'Notes' })];
  const document = {
    version: settingsVersion,
    settings: {},
    integrations,
    programs: [],
    collections: [],
    pendingDeletions: [],
  };
  writeFileSync(path.join(home, 'config.json'), renderSettingsDocument(document));
  const run = async (...words: string[]) => await runPostern(['permit', 'Notes', ...words, '--json'], { home });
  expect((await run()).last).toMatchObject({ integration: { id: 'one', name: 'Notes' }, permissions: {} });
  await run('add', 'allow');
  const [readOnly, denied] = [await run('--preset', 'read-only'), await run('delete', 'deny')];
  expect(readOnly.last['permissions']).toEqual({ preset: 'read-only' });
  expect(denied.last['permissions']).toEqual({ preset: 'read-only', rules: [{ tool: 'delete', rule: 'deny' }] });
  expect((await run('add', 'ask', '--program', 'cursor')).last['permissions']).toMatchObject({
    programs: [{ program: 'cursor', rules: [{ tool: 'add', rule: 'ask' }] }],
  });
  const { stdout } = await runPostern(['permit', 'Notes'], { home });
  expect(stdout).toMatch(/deny\s+delete/u);
  expect(stdout).toContain('Cursor');
  await run('add', 'default', '--program', 'cursor');
  expect((await run('delete', 'default')).last['permissions']).toEqual({ preset: 'read-only' });
  expect((await run('--preset', 'everything')).last['permissions']).toEqual({});
  for (const words of [['add'], ['add', 'maybe'], ['--preset', 'nothing'], ['add', 'deny', '--preset', 'read-only']])
    expect(await run(...words)).toMatchObject({ code: 2 });
  expect(await run('add', 'deny', '--program', 'no-such-program')).toMatchObject({ code: 1 });
});
