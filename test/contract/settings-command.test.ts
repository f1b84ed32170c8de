import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { settingsSchema } from '../../shared/settings.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { pem } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeList } from '../support/write-profile.ts';

/** A profile that Postern itself has written, so that the settings have a backup copy. */
async function writeProfile(): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'postern-settings-'));
  const integrations = [anIntegration({ id: 'one', name: 'Notes' }), anIntegration({ id: 'two' })];
  writeList(home, integrations);
  expect((await runInProcess(['settings', 'callbackPort', '4711'], { home })).code).toBe(0);
  return home;
}

let written: string | undefined;
afterAll(() => written && rmSync(written, { recursive: true, force: true }));

/** A copy; the profile is written once. */
async function profile() {
  written ??= await writeProfile();
  const home = temporaryFolder();
  cpSync(written, home, { recursive: true });
  const file = path.join(home, 'config.json');
  const run = async (...words: string[]) => await runInProcess([...words, '--json'], { home });
  const text = (): string => readFileSync(file, 'utf8');
  return { home, file, run, text, edit: (change: (text: string) => string) => writeFileSync(file, change(text())) };
}

const withoutBrace = (text: string): string => text.slice(0, text.lastIndexOf('}'));

describe('postern settings', () => {
  it('shows all of them with their meanings', async () => {
    const { run, home } = await profile();
    const { code, last } = await run('settings');
    expect({ code, ...last }).toMatchObject({ code: 0, file: path.join(home, 'config.json') });
    const shown = last['settings'] as { name: string; value: unknown; meaning: string }[];
    const known = Object.keys(settingsSchema().shape).filter((name) => name !== 'sidebar');
    expect(shown.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
    expect(shown.find(({ name }) => name === 'callbackPort')).toMatchObject({ value: 4711 });
    for (const { meaning } of shown) expect(meaning).toMatch(/^\S.{10,}/);
    const { stdout } = await runInProcess(['settings'], { home });
    for (const name of known) expect(stdout).toContain(name);
  });

  it('sets one, shows it, and resets it to the default', async () => {
    const { run, text } = await profile();
    expect((await run('settings', 'theme', 'dark')).last).toMatchObject({ setting: { name: 'theme', value: 'dark' } });
    expect((await run('settings', 'CHECKFORUPDATES', 'false')).last).toMatchObject({ setting: { value: false } });
    expect((await run('settings', 'theme')).last).toMatchObject({ setting: { value: 'dark' } });
    expect(JSON.parse(text())).toMatchObject({
      settings: { callbackPort: 4711, theme: 'dark', checkForUpdates: false },
      integrations: [{ id: 'one' }, { id: 'two' }],
    });
    expect((await run('settings', 'theme', '--default')).last).toMatchObject({ setting: { value: null } });
    expect(text()).not.toContain('dark');
  });

  it.each([
    [['them'], 'theme'],
    [['window', '{}'], 'callbackPort'],
    [['theme', 'drak'], 'system, light, dark'],
    [['callbackPort', '80'], '1024'],
    [['callbackPort', '4711.5'], '1024'],
    [['signInSurface', 'print'], 'popup, browser'],
    [['checkForUpdates', 'yes'], 'true, false'],
    [['certificateFile', ''], '--default'],
    [['pausedApps', 'cursor,curser'], 'Unknown app “curser”'],
    [['certificateFile', 'none'], '--default'],
    [['--default'], '--default'],
    [['theme', 'dark', '--default'], '--default'],
    [['theme', '--restore'], '--restore'],
  ])('with %j reports the valid values, and changes nothing', async (words, hint) => {
    const { run, text } = await profile();
    const before = text();
    const { code, last } = await run('settings', ...words);
    expect({ code, ...last }).toMatchObject({
      code: 2,
      error: { code: 'USAGE', message: expect.stringContaining(hint) },
    });
    expect(text()).toBe(before);
  });
});

it('rejects a registry at a blocked address, as the window does', async () => {
  const { run, text } = await profile();
  const before = text();
  expect(await run('settings', 'registry', 'https://169.254.169.254')).toMatchObject({
    code: 1,
    last: { error: { code: 'HOST_BLOCKED' } },
  });
  expect(text()).toBe(before);
});

describe('the setting certificateFile', () => {
  it.each<[string, string, (file: string) => void]>([
    ['is not there', 'does not exist', () => undefined],
    ['is a folder', 'can’t be read', (file) => mkdirSync(file)],
    ['holds none', 'no certificate', (file) => writeFileSync(file, 'nothing')],
    ['holds a key alone', 'no certificate', (file) => writeFileSync(file, pem('server-key'))],
  ])('rejects a file that %s, and says so', async (_, hint, put) => {
    const { run, text } = await profile();
    const [before, file] = [text(), path.join(temporaryFolder(), 'authorities.pem')];
    put(file);
    const { code, last } = await run('settings', 'certificateFile', file);
    expect({ code, ...last }).toMatchObject({
      code: 1,
      error: { code: 'CERTIFICATE_FILE_INVALID', message: expect.stringContaining(hint) },
    });
    expect((last['error'] as { message: string }).message).toContain(file);
    expect(text()).toBe(before);
  });

  it('stores the absolute path of a file, whatever folder it was named from', async () => {
    const { home, text } = await profile();
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'ca.pem'), pem('authority'));
    const { last } = await runInProcess(['settings', 'certificateFile', 'ca.pem', '--json'], { home, cwd });
    expect(last).toMatchObject({ setting: { value: path.join(cwd, 'ca.pem') } });
    expect(JSON.parse(text())).toMatchObject({ settings: { certificateFile: path.join(cwd, 'ca.pem') } });
  });
});

describe('a settings file with a mistake in it', () => {
  it('stops every command that needs it, with the place, and is not changed', async () => {
    const { run, edit, text, home } = await profile();
    edit((before) => before.replace('"callbackPort": 4711', '"callbackPort": 4711,'));
    const broken = text();
    const names = readdirSync(home);
    for (const words of [
      ['list'],
      ['show', 'Notes'],
      ['token', 'Notes'],
      ['remove', 'Notes'],
      ['sign-out', 'Notes'],
      ['refresh', 'Notes'],
      ['connect', 'https://mcp.example/mcp'],
      ['settings'],
      ['settings', 'theme', 'dark'],
    ]) {
      const { code, last } = await run(...words);
      expect({ words, code, ...last }).toMatchObject({
        code: 1,
        error: {
          code: 'CFG_CORRUPT',
          message: expect.stringContaining('line 5, column 3'),
          nextStep: expect.stringContaining('postern settings --restore'),
        },
      });
      expect(text()).toBe(broken);
    }
    const { last } = await run('doctor');
    const settings = { name: 'settings', ok: false, code: 'CFG_CORRUPT', message: expect.stringContaining('line 5') };
    expect(last['checks']).toContainEqual(expect.objectContaining(settings));
    // `doctor` tests the storage, which creates an empty vault.
    const besides = (name: string): boolean => name !== 'logs' && name !== 'vault';
    expect(readdirSync(home).filter(besides)).toEqual(names.filter(besides));
  });

  it('is replaced by the last good copy when the user asks for it, and is backed up', async () => {
    const { run, edit, text, home } = await profile();
    const good = text();
    edit(withoutBrace);
    const broken = text();
    const { code, last } = await run('settings', '--restore');
    expect({ code, ...last }).toMatchObject({ code: 0, restored: { servers: 2, savedAs: 'config.corrupt-1.json' } });
    expect(text()).toBe(good);
    expect(readFileSync(path.join(home, 'config.corrupt-1.json'), 'utf8')).toBe(broken);
    expect((await run('list')).last).toMatchObject({ integrations: [{ id: 'one' }, { id: 'two' }] });
    expect((await run('settings', '--restore')).last).toMatchObject({ restored: null });
    expect(text()).toBe(good);
  });

  it('is restored even if it, or the list in it, is gone', async () => {
    const { run, file, text } = await profile();
    const good = text();
    rmSync(file);
    expect((await run('list')).last).toMatchObject({ error: { code: 'CFG_CORRUPT' } });
    expect((await run('settings', '--restore')).last).toMatchObject({ restored: { servers: 2, savedAs: null } });
    writeFileSync(file, '{"settings": {"theme": "dark"}}');
    expect((await run('list')).last).toMatchObject({ error: { code: 'CFG_CORRUPT' } });
    expect((await run('settings', '--restore')).last).toMatchObject({ restored: { servers: 2 } });
    expect(text()).toBe(good);
  });

  it('without a copy reports that there is none', async () => {
    const home = temporaryFolder();
    writeFileSync(path.join(home, 'config.json'), '{');
    const run = async (...words: string[]) => await runInProcess([...words, '--json'], { home });
    expect((await run('settings', '--restore')).last).toMatchObject({ error: { code: 'CFG_NO_COPY' } });
    const { nextStep } = (await run('list')).last['error'] as { nextStep: string };
    expect(nextStep).not.toContain('--restore');
  });

  it('gets defaults for missing parts', async () => {
    const { run, edit, text } = await profile();
    edit((before) => {
      const { integrations } = JSON.parse(before) as { integrations: unknown[] };
      return JSON.stringify({ integrations });
    });
    expect((await run('list')).last).toMatchObject({ integrations: [{ id: 'one' }, { id: 'two' }] });
    expect((await run('settings', 'theme', 'light')).code).toBe(0);
    expect(JSON.parse(text())).toMatchObject({ version: 1, integrations: [{ id: 'one' }, { id: 'two' }] });
  });

  it('names the invalid entry, continues with the others, and keeps it', async () => {
    const { run, edit, text, home } = await profile();
    edit((before) => before.replace('"method": "OAuth', '"methd": "OAuth'));
    const bad = (JSON.parse(text()) as { integrations: unknown[] }).integrations[0];
    const { lines, last } = await run('list');
    expect(last).toMatchObject({ result: 'ok', integrations: [{ id: 'two' }] });
    const notice = {
      event: 'notice',
      code: 'CFG_PART_IGNORED',
      part: 'server',
      name: 'Notes',
      line: expect.any(Number),
    };
    expect(lines).toContainEqual(expect.objectContaining(notice));
    expect((await runInProcess(['list'], { home })).stderr).toContain('“Notes”');
    const { last: found } = await run('doctor');
    expect(found['checks']).toContainEqual(
      expect.objectContaining({ name: 'settings', ok: false, message: expect.stringContaining('“Notes”') }),
    );
    expect((await run('remove', 'two')).code).toBe(0);
    expect(JSON.parse(text())).toMatchObject({ integrations: [bad] });
  });

  it('can be deleted with everything else', async () => {
    const { run, edit, home } = await profile();
    edit(withoutBrace);
    const { code } = await run('remove', '--all', '--yes');
    expect(code).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });
});
