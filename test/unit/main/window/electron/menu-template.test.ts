import { describe, expect, it } from 'vitest';
import { windowWords } from '../../../../../main/window-words.ts';
import { menuTemplate } from '../../../../../main/window/electron/menu-template.ts';

function items(platform: NodeJS.Platform, devTools = false) {
  const commands: string[] = [];
  const template = menuTemplate({ platform, devTools, onCommand: (command) => void commands.push(command) });
  const all = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  return { commands, all, template };
}

describe('menuTemplate', () => {
  it.each(['darwin', 'win32', 'linux'] as const)('has the usual shortcuts on %s', (platform) => {
    const { all, commands } = items(platform);
    for (const [accelerator, command] of [
      ['CmdOrCtrl+N', 'connect'],
      ['CmdOrCtrl+F', 'search'],
      ['CmdOrCtrl+,', 'settings'],
    ]) {
      const found = all.filter((item) => item.accelerator === accelerator);
      expect(found).toHaveLength(1);
      found[0]?.click?.({} as never, undefined, {});
      expect(commands.at(-1)).toBe(command);
    }
    const roles = all.map(({ role }) => role);
    expect(roles).toEqual(expect.arrayContaining(['copy', 'paste', 'quit', 'zoomIn', 'togglefullscreen']));
  });

  it('has an app menu on macOS', () => {
    const rolesOf = (platform: NodeJS.Platform) =>
      items(platform).template.map(({ submenu }) => (Array.isArray(submenu) ? submenu.map(({ role }) => role) : []));
    expect(items('darwin').template[0]?.label).toBe(windowWords.app);
    expect(rolesOf('darwin')[0]).toEqual(expect.arrayContaining(['services', 'hide', 'hideOthers', 'quit']));
    expect(items('linux').template[0]?.label).not.toBe(windowWords.app);
    expect(rolesOf('linux').flat()).not.toContain('services');
  });

  it('has no developer tools in a packaged app (IP-20)', () => {
    expect(items('linux').all.map(({ role }) => role)).not.toContain('toggleDevTools');
    expect(items('linux', true).all.map(({ role }) => role)).toContain('toggleDevTools');
  });

  it.each(['darwin', 'win32', 'linux'] as const)('has items for updates and about on %s', (platform) => {
    const { all, commands } = items(platform);
    for (const { click } of all) click?.({} as never, undefined, {});
    expect(commands.toSorted()).toEqual(['about', 'connect', 'search', 'settings', 'updates']);
  });

  it('has an item to install the command if no installer puts it on the PATH', () => {
    let installed = 0;
    const click = (onInstallCommand?: () => void) => {
      for (const { submenu } of menuTemplate({
        platform: 'darwin',
        devTools: false,
        onCommand: () => {},
        onInstallCommand,
      }))
        for (const item of Array.isArray(submenu) ? submenu : []) item.click?.({} as never, undefined, {});
    };
    click();
    click(() => void (installed += 1));
    expect(installed).toBe(1);
  });
});
