import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsVersion } from '../../main/storage/settings/settings-document.ts';
import { maxGroups } from '../../shared/bounds.ts';
import { anIntegration } from '../support/an-integration.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

async function open() {
  const desktop = await createTestDesktop();
  const { ports, folder } = desktop.engine;
  const all = ['one', 'two', 'three'].map((id) => anIntegration({ id, alias: id }));
  await ports.store.changeList((list) => ({ ...list, integrations: all }));
  const file = path.join(folder, 'config.json');
  const written = async () =>
    JSON.parse(await readFile(file, 'utf8')) as { settings: { sidebar?: unknown }; integrations: { id: string }[] };
  return { desktop, file, written };
}

describe('the sidebar, as arranged', () => {
  it('is in the settings, is shown, and is removed there once it is back to the default', async () => {
    const { desktop, written } = await open();
    await desktop.call('settings:arrange', { do: 'pin', ids: ['two', 'never there'], isPinned: true });
    await desktop.call('settings:arrange', { do: 'move', ids: ['one', 'two'], group: 'Work' });
    const sidebar = { pinned: ['two'], groups: [{ name: 'Work', servers: ['one', 'two'] }] };
    expect((await written()).settings.sidebar).toEqual(sidebar);
    expect((await desktop.call('desktop:snapshots', {})).desktop.sidebar).toEqual(sidebar);
    await desktop.call('settings:arrange', { do: 'move', ids: ['one', 'two'], group: null });
    await desktop.call('settings:arrange', { do: 'pin', ids: ['two'], isPinned: false });
    expect((await written()).settings).not.toHaveProperty('sidebar');
  });

  it('is restored with a server whose removal is undone', async () => {
    const { desktop } = await open();
    await desktop.call('settings:arrange', { do: 'move', ids: ['one', 'two'], group: 'Work' });
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: ['one', 'two'] })) ?? {};
    // It is rearranged in the meantime.
    await desktop.call('settings:arrange', { do: 'fold', isFolded: true });
    await desktop.call('deletion:undo', { id: deletion });
    const { desktop: view } = await desktop.call('desktop:snapshots', {});
    expect(view.sidebar).toEqual({ groups: [{ name: 'Work', servers: ['one', 'two'] }], isFolded: true });
  });

  it('keeps the place of a server whose entry is unreadable at the moment', async () => {
    const { desktop, file, written } = await open();
    await desktop.call('settings:arrange', { do: 'pin', ids: ['one'], isPinned: true });
    await desktop.call('settings:arrange', { do: 'move', ids: ['two'], group: 'Work' });
    const { integrations, ...others } = await written();
    const unfit = integrations.map((each) => (each.id === 'three' ? each : { ...each, url: 5 }));
    await writeFile(file, JSON.stringify({ ...others, integrations: unfit }));
    expect(await desktop.engine.ports.store.isListComplete()).toBe(false);
    await desktop.call('settings:arrange', { do: 'fold', group: 'Work', isFolded: false });
    const sidebar = { pinned: ['one'], groups: [{ name: 'Work', servers: ['two'] }] };
    expect((await written()).settings.sidebar).toEqual(sidebar);
  });

  it('is collapsed as a whole without a change of the settings', async () => {
    const { desktop, file } = await open();
    await desktop.call('settings:arrange', { do: 'move', ids: ['one'], group: 'Work' });
    const before = await readFile(file, 'utf8');
    await desktop.call('settings:arrange', { do: 'fold', isFolded: true });
    const { desktop: view } = await desktop.call('desktop:snapshots', {});
    expect(view.sidebar).toEqual({ groups: [{ name: 'Work', servers: ['one'] }], isFolded: true });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('reports that it is full, and does not change', async () => {
    const { desktop, written } = await open();
    await desktop.engine.ports.store.changeList((list) => ({
      ...list,
      integrations: Array.from({ length: maxGroups + 1 }, (_, index) =>
        anIntegration({ id: `s${index}`, alias: `s${index}` }),
      ),
    }));
    const groups = Array.from({ length: maxGroups }, (_, index) => ({
      name: `Group ${index}`,
      servers: index === 0 ? ['s0', `s${maxGroups}`] : [`s${index}`],
    }));
    await desktop.engine.ports.store.updateSettings((settings) => ({ ...settings, sidebar: { groups } }));
    const refused = desktop.call('settings:arrange', { do: 'move', ids: ['s0'], group: 'New' });
    await expect(refused).rejects.toMatchObject({ plain: { code: 'SIDE_BAR_FULL' } });
    expect((await written()).settings.sidebar).toEqual({ groups });
  });

  it('from a newer version is shown and not changed', async () => {
    const { desktop, file, written } = await open();
    await desktop.call('settings:arrange', { do: 'pin', ids: ['one'], isPinned: true });
    const document = await written();
    await writeFile(file, JSON.stringify({ ...document, version: settingsVersion + 1 }));
    const before = await readFile(file, 'utf8');
    const refused = desktop.call('settings:arrange', { do: 'pin', ids: ['one'], isPinned: false });
    await expect(refused).rejects.toMatchObject({ plain: { code: 'CFG_NEWER' } });
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});
