import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProfileFolder } from '../../../../../main/storage/profile/profile-folder.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('makeProfileFolder', () => {
  it('uses POSTERN_HOME, and creates it and its parents closed to others', async () => {
    const home = path.join(temporaryFolder(), 'a', 'b');
    const profile = await makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' });
    expect(profile).toBe(home);
    expect(modeOf(home)).toBe(0o700);
  });

  it.each([
    ['linux', {}, '.config/Postern'],
    ['linux', { POSTERN_HOME: '' }, '.config/Postern'],
    ['darwin', {}, 'Library/Application Support/Postern'],
    ['win32', {}, 'AppData/Roaming/Postern'],
  ] as const)('uses the same folder as the window: %s %j', async (platform, env, expected) => {
    const home = temporaryFolder();
    expect(await makeProfileFolder({ env, platform, home })).toBe(path.join(home, expected));
  });

  it('honors XDG_CONFIG_HOME and APPDATA, as Electron does', async () => {
    const folder = temporaryFolder();
    const onLinux = await makeProfileFolder({ env: { XDG_CONFIG_HOME: folder }, platform: 'linux', home: '/nowhere' });
    const onWindows = await makeProfileFolder({ env: { APPDATA: folder }, platform: 'win32', home: '/nowhere' });
    expect([onLinux, onWindows]).toEqual([path.join(folder, 'Postern'), path.join(folder, 'Postern')]);
  });

  it('gives a beta build its own folder', async () => {
    const home = temporaryFolder();
    const open = async (channel: 'beta' | 'stable') =>
      path.relative(home, await makeProfileFolder({ env: {}, platform: 'linux', home, channel }));
    expect([await open('stable'), await open('beta')]).toEqual(['.config/Postern', '.config/Postern Beta']);
  });

  it("closes an open folder that is empty or Postern's, and leaves any other unchanged", async () => {
    const [empty, ours, shared] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(ours, 'config.json'), '{}');
    writeFileSync(path.join(shared, 'letter.txt'), '');
    for (const folder of [empty, ours, shared]) {
      chmodSync(folder, 0o755);
      await makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    }
    expect([empty, ours, shared].map(modeOf)).toEqual([0o700, 0o700, 0o755]);
  });

  it('rejects a folder that another user owns, can write to or can replace', async () => {
    const [owned, open, above] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const below = path.join(above, 'profile');
    mkdirSync(below, { mode: 0o700 });
    for (const folder of [owned, open]) writeFileSync(path.join(folder, 'config.json'), '{}');
    chmodSync(above, 0o777);
    const attempt = async (folder: string) =>
      await makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    for (const mode of [0o777, 0o775, 0o702, 0o1777]) {
      chmodSync(open, mode);
      const detail = { reason: 'writable', folder: open };
      await expect(attempt(open)).rejects.toMatchObject({ code: 'CFG_SHARED', stage: 'settings', detail });
      expect(statSync(open).mode & 0o7777).toBe(mode);
    }
    await expect(attempt(below)).rejects.toMatchObject({ code: 'CFG_SHARED', detail: { folder: above } });
    // As under /tmp: others can add files but replace none.
    chmodSync(above, 0o1777);
    expect(await attempt(below)).toBe(below);
    if (process.getuid?.() !== 0) return;
    chownSync(owned, 65_534, 65_534);
    await expect(attempt(owned)).rejects.toMatchObject({ code: 'CFG_SHARED', detail: { reason: 'owner' } });
  });

  it('checks the target of a link', async () => {
    const [folder, link] = [temporaryFolder(), path.join(temporaryFolder(), 'link')];
    symlinkSync(folder, link);
    const attempt = () => makeProfileFolder({ env: { POSTERN_HOME: link }, platform: 'linux', home: '/nowhere' });
    expect(await attempt()).toBe(link);
    chmodSync(folder, 0o777);
    await expect(attempt()).rejects.toMatchObject({ code: 'CFG_SHARED', detail: { folder } });
  });

  it.skipIf(process.getuid?.() !== 0)('rejects a path that another user could redirect', async () => {
    const nobody = 65_534;
    const attempt = async (folder: string) =>
      await makeProfileFolder({ env: { POSTERN_HOME: folder }, platform: 'linux', home: '/nowhere' });
    const top = temporaryFolder();
    const [above, other] = [path.join(top, 'above'), path.join(top, 'other')];
    const [profile, link, second] = [path.join(above, 'profile'), path.join(other, 'link'), path.join(top, 'second')];
    for (const folder of [above, other, profile]) mkdirSync(folder, { mode: 0o700 });
    symlinkSync(profile, link);
    symlinkSync(path.relative(top, link), second);
    for (const folder of [profile, link, second]) expect(await attempt(folder)).toBe(folder);

    // Their folder, sticky or not, inside ours.
    for (const mode of [0o755, 0o1777]) {
      chownSync(above, nobody, nobody);
      chmodSync(above, mode);
      const detail = { reason: 'owner-above', folder: above };
      await expect(attempt(profile)).rejects.toMatchObject({ code: 'CFG_SHARED', stage: 'settings', detail });
    }
    // Our folder, writable by their group; the system's and the user's own group are fine, and so is a sticky folder.
    chownSync(above, 0, nobody);
    chmodSync(above, 0o775);
    await expect(attempt(profile)).rejects.toMatchObject({ detail: { reason: 'writable', folder: above } });
    chmodSync(above, 0o1775);
    expect(await attempt(profile)).toBe(profile);
    chmodSync(above, 0o775);
    chownSync(above, 0, 0);
    expect(await attempt(profile)).toBe(profile);

    // Their link, and a link in their folder, even if our link leads to it.
    lchownSync(link, nobody, nobody);
    for (const folder of [link, second])
      await expect(attempt(folder)).rejects.toMatchObject({ detail: { reason: 'owner-above', folder: link } });
    lchownSync(link, 0, 0);
    chownSync(other, nobody, nobody);
    for (const folder of [link, second])
      await expect(attempt(folder)).rejects.toMatchObject({ detail: { reason: 'owner-above', folder: other } });
  });

  it('fails with CFG_READONLY if the folder cannot be created', async () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const home of [file, path.join(file, 'below')]) {
      await expect(
        makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' }),
      ).rejects.toMatchObject({ code: 'CFG_READONLY', stage: 'settings' });
    }
  });

  it.skipIf(process.platform !== 'linux')('fails at once if no folder can ever be created', async () => {
    const open = makeProfileFolder({ env: { POSTERN_HOME: '/proc/nope/below' }, platform: 'linux', home: '/nowhere' });
    await expect(open).rejects.toMatchObject({ code: 'CFG_READONLY', stage: 'settings' });
  });

  it('opens an existing folder again', async () => {
    const home = path.join(temporaryFolder(), 'there');
    mkdirSync(home, { mode: 0o700 });
    const open = () => makeProfileFolder({ env: { POSTERN_HOME: home }, platform: 'linux', home: '/nowhere' });
    expect(await open()).toEqual(await open());
  });
});
