import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { openSettingsFile } from '../../main/storage/settings/settings-file.ts';
import { anIntegration } from '../support/an-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** A window with a real settings file, with one server in it. */
async function openDesktop() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'config.json');
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  await store.write(anIntegration({ id: 'one', name: 'Notes' }));
  const desktop = await createTestDesktop({ store, settingsFile: openSettingsFile({ folder, store, locks }) });
  const text = (): string => readFileSync(file, 'utf8');
  return { desktop, folder, file, text };
}

describe('a window with an unusable settings file', () => {
  it('opens, shows where the problem is, changes nothing, and restores the last good copy', async () => {
    const { desktop, file, text } = await openDesktop();
    const good = text();
    const broken = good.replace('"version": 1,', '"version": 1');
    writeFileSync(file, broken);
    const { desktop: view, integrations } = await desktop.call('desktop:snapshots', {});
    expect(integrations).toEqual([]);
    expect(view.settingsTrouble).toMatchObject({
      error: { code: 'CFG_CORRUPT', message: expect.stringContaining('line 3, column 3') },
      lastGood: { servers: 1 },
    });
    expect(await desktop.callFailing('settings:update', { theme: 'dark' })).toMatchObject({ code: 'CFG_CORRUPT' });
    expect(await desktop.callFailing('integration:remove', { ids: ['one'] })).toMatchObject({ code: 'CFG_CORRUPT' });
    expect(await desktop.callFailing('list:import', { text: '{"version":1,"integrations":[]}' })).toBeDefined();
    expect(text()).toBe(broken);

    await desktop.call('settings:openFile', {});
    expect(desktop.opened).toEqual([file]);

    await desktop.call('settings:restore', {});
    expect(text()).toBe(good);
    const after = await desktop.call('desktop:snapshots', {});
    expect(after.desktop.settingsTrouble).toBeUndefined();
    expect(after.integrations).toMatchObject([{ id: 'one' }]);
  });

  it('recovers once the user has fixed the file', async () => {
    const { desktop, file, text } = await openDesktop();
    const good = text();
    writeFileSync(file, good.slice(1));
    expect((await desktop.call('desktop:snapshots', {})).desktop.settingsTrouble).toBeDefined();
    writeFileSync(file, good);
    expect((await desktop.call('desktop:snapshots', {})).desktop.settingsTrouble).toBeUndefined();
  });

  it('opens nothing that a link names, and offers no copy for it', async () => {
    const { desktop, file, folder } = await openDesktop();
    const elsewhere = path.join(temporaryFolder(), 'elsewhere.json');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const { desktop: view } = await desktop.call('desktop:snapshots', {});
    expect(view.settingsTrouble?.error).toMatchObject({ code: 'CFG_LINK' });
    expect(view.settingsTrouble?.lastGood).toBeUndefined();
    expect(await desktop.callFailing('settings:restore', {})).toMatchObject({ code: 'CFG_LINK' });
    await desktop.call('settings:openFile', {});
    expect(desktop.opened).toEqual([folder]);
  });
});

describe('settings in the window', () => {
  it('cannot pause an app that Postern does not know', async () => {
    const { desktop, text } = await openDesktop();
    const before = text();
    const pausedApps = ['cursor', 'curser'];
    expect(await desktop.callFailing('settings:update', { pausedApps })).toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(text()).toBe(before);
  });

  it('are applied to the system after a command changed them', async () => {
    const desktop = await createTestDesktop({ serves: true });
    const { folder, ports } = desktop.engine;
    desktop.composed.startWork();
    const elsewhere = openIntegrationStore({ folder, locks: ports.locks });
    await elsewhere.updateSettings((settings) => ({ ...settings, theme: 'dark' }));
    await desktop.waitFor((shown) => shown.desktop?.theme === 'dark');
    await expect.poll(() => desktop.themes.at(-1)).toBe('dark');
    await desktop.call('settings:update', { theme: 'light' });
    await desktop.waitFor((shown) => shown.desktop?.theme === 'light');
    await expect.poll(() => desktop.themes.at(-1)).toBe('light');
  });

  it('reset to the default even if the file has an unreadable value', async () => {
    const { desktop, file, text } = await openDesktop();
    const { settings = {}, ...document } = JSON.parse(text()) as { settings?: object };
    writeFileSync(file, JSON.stringify({ ...document, settings: { ...settings, theme: 'purple' } }));
    await desktop.call('settings:update', { theme: null });
    expect(text()).not.toContain('purple');
  });
});
