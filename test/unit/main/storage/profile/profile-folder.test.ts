import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProfileFolder } from '../../../../../main/storage/profile/profile-folder.ts';
import { failureOf } from '../../../../support/oauth-fixtures.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('makeProfileFolder', () => {
  it('uses POSTERN_HOME, and creates it and its parents closed to others', () => {
    const home = path.join(temporaryFolder(), 'a', 'b');
    const profile = makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' });
    expect(profile).toBe(home);
    expect(modeOf(home)).toBe(0o700);
  });

  it.each([
    ['linux', {}, '.config/Postern'],
    ['linux', { POSTERN_HOME: '' }, '.config/Postern'],
    ['darwin', {}, 'Library/Application Support/Postern'],
    ['win32', {}, 'AppData/Roaming/Postern'],
  ] as const)('uses the same folder as the window: %s %j', (platform, env, expected) => {
    const home = temporaryFolder();
    expect(makeProfileFolder({ env, platform, home })).toBe(path.join(home, expected));
  });

  it('honors XDG_CONFIG_HOME and APPDATA, as Electron does', () => {
    const folder = temporaryFolder();
    const onLinux = makeProfileFolder({ env: { XDG_CONFIG_HOME: folder }, platform: 'linux', home: '/nowhere' });
    const onWindows = makeProfileFolder({ env: { APPDATA: folder }, platform: 'win32', home: '/nowhere' });
    expect([onLinux, onWindows]).toEqual([path.join(folder, 'Postern'), path.join(folder, 'Postern')]);
  });

  it('gives a beta build its own folder', () => {
    const home = temporaryFolder();
    const open = (channel: 'beta' | 'stable') =>
      path.relative(home, makeProfileFolder({ env: {}, platform: 'linux', home, channel }));
    expect([open('stable'), open('beta')]).toEqual(['.config/Postern', '.config/Postern Beta']);
  });

  it("closes an open folder that is empty or Postern's, and leaves any other unchanged", () => {
    const [empty, ours, shared] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(ours, 'config.json'), '{}');
    writeFileSync(path.join(shared, 'letter.txt'), '');
    for (const folder of [empty, ours, shared]) {
      chmodSync(folder, 0o755);
      makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    }
    expect([empty, ours, shared].map(modeOf)).toEqual([0o700, 0o700, 0o755]);
  });

  it('rejects a folder that another user owns, can write to or can replace', async () => {
    const [owned, open, above] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const below = path.join(above, 'profile');
    mkdirSync(below, { mode: 0o700 });
    for (const folder of [owned, open]) writeFileSync(path.join(folder, 'config.json'), '{}');
    chmodSync(above, 0o777);
    const attempt = (folder: string) =>
      makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    for (const mode of [0o777, 0o775, 0o702, 0o1777]) {
      chmodSync(open, mode);
      const detail = { reason: 'writable', folder: open };
      expect(await failureOf(() => attempt(open))).toMatchObject({ code: 'CFG_SHARED', stage: 'settings', detail });
      expect(statSync(open).mode & 0o7777).toBe(mode);
    }
    expect(await failureOf(() => attempt(below))).toMatchObject({ code: 'CFG_SHARED', detail: { folder: above } });
    // As under /tmp: others can add files but replace none.
    chmodSync(above, 0o1777);
    expect(attempt(below)).toBe(below);
    if (process.getuid?.() !== 0) return;
    chownSync(owned, 65_534, 65_534);
    expect(await failureOf(() => attempt(owned))).toMatchObject({ code: 'CFG_SHARED', detail: { reason: 'owner' } });
  });

  it('checks the target of a link', async () => {
    const [folder, link] = [temporaryFolder(), path.join(temporaryFolder(), 'link')];
    symlinkSync(folder, link);
    const attempt = () => makeProfileFolder({ env: { POSTERN_HOME: link }, platform: 'linux', home: '/nowhere' });
    expect(attempt()).toBe(link);
    chmodSync(folder, 0o777);
    expect(await failureOf(() => attempt())).toMatchObject({ code: 'CFG_SHARED', detail: { folder } });
  });

  it.skipIf(process.getuid?.() !== 0)('rejects a path that another user could redirect', async () => {
    const nobody = 65_534;
    const attempt = (folder: string) =>
      makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    const top = temporaryFolder();
    const [above, other] = [path.join(top, 'above'), path.join(top, 'other')];
    const [profile, link, second] = [path.join(above, 'profile'), path.join(other, 'link'), path.join(top, 'second')];
    for (const folder of [above, other, profile]) mkdirSync(folder, { mode: 0o700 });
    symlinkSync(profile, link);
    symlinkSync(path.relative(top, link), second);
    for (const folder of [profile, link, second]) expect(attempt(folder)).toBe(folder);

    // Their folder, sticky or not, inside ours.
    for (const mode of [0o755, 0o1777]) {
      chownSync(above, nobody, nobody);
      chmodSync(above, mode);
      const detail = { reason: 'owner-above', folder: above };
      expect(await failureOf(() => attempt(profile))).toMatchObject({ code: 'CFG_SHARED', stage: 'settings', detail });
    }
    // Our folder, writable by their group; the system's and the user's own group are fine, and so is a sticky folder.
    chownSync(above, 0, nobody);
    chmodSync(above, 0o775);
    expect(await failureOf(() => attempt(profile))).toMatchObject({ detail: { reason: 'writable', folder: above } });
    chmodSync(above, 0o1775);
    expect(attempt(profile)).toBe(profile);
    chmodSync(above, 0o775);
    chownSync(above, 0, 0);
    expect(attempt(profile)).toBe(profile);

    // Their link, and a link in their folder, even if our link leads to it.
    lchownSync(link, nobody, nobody);
    for (const folder of [link, second])
      expect(await failureOf(() => attempt(folder))).toMatchObject({ detail: { reason: 'owner-above', folder: link } });
    lchownSync(link, 0, 0);
    chownSync(other, nobody, nobody);
    for (const folder of [link, second])
      expect(await failureOf(() => attempt(folder))).toMatchObject({
        detail: { reason: 'owner-above', folder: other },
      });
  });

  it('fails with CFG_READONLY if the folder cannot be created', async () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const home of [file, path.join(file, 'below')]) {
      expect(
        await failureOf(() => makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' })),
      ).toMatchObject({ code: 'CFG_READONLY', stage: 'settings' });
    }
  });

  it.skipIf(process.platform !== 'linux')('fails at once if no folder can ever be created', async () => {
    const open = () =>
      makeProfileFolder({ env: { POSTERN_HOME: '/proc/nope/below' }, platform: 'linux', home: '/nowhere' });
    expect(await failureOf(open)).toMatchObject({ code: 'CFG_READONLY', stage: 'settings' });
  });

  it('opens an existing folder again', () => {
    const home = path.join(temporaryFolder(), 'there');
    mkdirSync(home, { mode: 0o700 });
    const open = () => makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' });
    expect(open()).toEqual(open());
  });
});
