import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../../../main/windows/menu-template.ts';

function items(platform: NodeJS.Platform, devTools = false) {
  const commands: string[] = [];
  const template = menuTemplate({ platform, devTools, onCommand: (command) => void commands.push(command) });
  const all = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  return { commands, all, template };
}

describe('menuTemplate', () => {
  it.each(['darwin', 'win32', 'linux'] as const)('has the shortcuts that people expect on %s', (platform) => {
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

  it('follows macOS with a menu of the program itself', () => {
    expect(items('darwin').template[0]?.label).toBe('Postern');
    expect(items('linux').template[0]?.label).toBe('&File');
  });

  it('has no developer tools in a packaged program (IP-20)', () => {
    expect(items('linux').all.map(({ role }) => role)).not.toContain('toggleDevTools');
    expect(items('linux', true).all.map(({ role }) => role)).toContain('toggleDevTools');
  });

  it('offers updates everywhere, and the command where no installer puts it on the PATH', () => {
    let installed = 0;
    const labels = (platform: NodeJS.Platform, onInstallCommand?: () => void) =>
      menuTemplate({ platform, devTools: false, onCommand: () => {}, onInstallCommand })
        .flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
        .filter(({ label }) => /Updates|Command/.test(label ?? ''));
    expect(labels('linux').map(({ label }) => label)).toEqual(['Updates…']);
    const [updates, install] = labels('darwin', () => void (installed += 1));
    expect([updates?.label, install?.label]).toEqual(['Updates…', 'Install the postern Command…']);
    install?.click?.({} as never, undefined, {});
    expect(installed).toBe(1);
  });
});
