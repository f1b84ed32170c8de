import { expect, it } from 'vitest';
import { openPinFiles } from '../../main/storage/profile/server-files.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeList } from '../support/write-profile.ts';

function aHome(): string {
  const home = temporaryFolder();
  const integrations = [anIntegration({ id: 'one', name: 'Notes' })];
  writeList(home, integrations);
  return home;
}

it('rejects a rule for a tool that does not exist, once all are known, and clears one that does', async () => {
  const home = aHome();
  const run = async (...words: string[]) => await runInProcess(['permit', 'Notes', ...words, '--json'], { home });
  expect(await run('old_note', 'deny')).toMatchObject({ code: 0 });
  const pins = openPinFiles(home);
  await pins.write('one', { isWhole: false, tools: [{ name: 'add_note', forms: ['f'] }], changed: [] });
  expect(await run('later', 'ask')).toMatchObject({ code: 0 });
  const changed = [{ name: 'new_note', form: 'f', at: 1 }];
  await pins.write('one', { isWhole: true, tools: [{ name: 'add_note', forms: ['f'] }], changed });
  const refused = await run('ad_note', 'deny');
  expect(refused).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
  expect(JSON.stringify(refused.last)).toContain('add_note');
  expect(await run('ad_note', 'default')).toMatchObject({ code: 2 });
  for (const [tool, rule] of [
    ['old_note', 'default'],
    ['later', 'default'],
    ['new_note', 'ask'],
    ['add_note', 'deny'],
  ] as const)
    expect(await run(tool, rule)).toMatchObject({ code: 0 });
  const { stdout } = await runInProcess(['permit', 'Notes', 'add_note', 'allow', '--app', 'cursor'], { home });
  expect(stdout).toContain('add_note stays denied');
});

it('shows and sets which tools apps may call, and rejects unknown ones', async () => {
  const home = aHome();
  const run = async (...words: string[]) => await runInProcess(['permit', 'Notes', ...words, '--json'], { home });
  expect((await run()).last).toMatchObject({ integration: { id: 'one', name: 'Notes' }, permissions: {} });
  await run('add', 'allow');
  const [readOnly, denied] = [await run('--preset', 'read-only'), await run('delete', 'deny')];
  expect(readOnly.last['permissions']).toEqual({ preset: 'read-only' });
  expect(denied.last['permissions']).toEqual({ preset: 'read-only', rules: [{ tool: 'delete', rule: 'deny' }] });
  expect((await run('add', 'ask', '--app', 'cursor')).last['permissions']).toMatchObject({
    apps: [{ app: 'cursor', rules: [{ tool: 'add', rule: 'ask' }] }],
  });
  const { stdout } = await runInProcess(['permit', 'Notes'], { home });
  expect(stdout).toMatch(/deny\s+delete/u);
  expect(stdout).toContain('Cursor');
  await run('add', 'default', '--app', 'cursor');
  expect((await run('delete', 'default')).last['permissions']).toEqual({ preset: 'read-only' });
  expect((await run('--preset', 'everything')).last['permissions']).toEqual({});
  for (const words of [['add'], ['add', 'maybe'], ['--preset', 'nothing'], ['add', 'deny', '--preset', 'read-only']])
    expect(await run(...words)).toMatchObject({ code: 2 });
  expect(await run('add', 'deny', '--app', 'no-such-app')).toMatchObject({ code: 1 });
});
