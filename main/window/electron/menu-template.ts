import type { MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../../shared/ipc-event.ts';
import type { SystemWords } from '../../../shared/words/en/system-words.ts';
import { windowWords } from '../../window-words.ts';

interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly devTools: boolean;
  readonly onCommand: (command: WindowCommand) => void;
  /** Adds `postern` to the PATH, if no installer has. */
  readonly onInstallCommand?: (() => void) | undefined;
}

/** The application menu, by platform convention. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, devTools, onCommand, onInstallCommand } = options;
  const { menu } = windowWords;
  const isMac = platform === 'darwin';
  const command = (
    label: string,
    accelerator: string | undefined,
    name: WindowCommand,
  ): MenuItemConstructorOptions => ({
    label,
    ...(accelerator !== undefined && { accelerator }),
    click: () => onCommand(name),
  });
  const settings = command(menu.settings, 'CmdOrCtrl+,', 'settings');
  const about = command(menu.about, undefined, 'about');
  const updates = command(menu.updates, undefined, 'updates');
  const install: MenuItemConstructorOptions[] = onInstallCommand
    ? [{ label: menu.installCommand, click: () => onInstallCommand() }]
    : [];
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const app: MenuItemConstructorOptions = {
    label: windowWords.app,
    submenu: [
      about,
      updates,
      separator,
      settings,
      ...install,
      separator,
      role('services'),
      separator,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      separator,
      role('quit'),
    ],
  };
  const connect = command(menu.connect, 'CmdOrCtrl+N', 'connect');
  const view: MenuItemConstructorOptions[] = [
    role('resetZoom'),
    role('zoomIn'),
    role('zoomOut'),
    separator,
    role('togglefullscreen'),
    ...(devTools ? [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const] : []),
  ];
  return [
    ...(isMac ? [app] : []),
    {
      label: menu.file,
      submenu: isMac ? [connect, separator, role('close')] : [connect, separator, settings, separator, role('quit')],
    },
    {
      label: menu.edit,
      submenu: [
        role('undo'),
        role('redo'),
        separator,
        role('cut'),
        role('copy'),
        role('paste'),
        role('selectAll'),
        separator,
        command(menu.find, 'CmdOrCtrl+F', 'search'),
      ],
    },
    { label: menu.view, submenu: view },
    windowMenu(isMac),
    ...(isMac ? [] : [{ label: menu.help, submenu: [updates, about] }]),
  ];
}

/** A built-in Electron role with our label: Electron's own labels are English. */
function role(name: Exclude<keyof SystemWords['menu']['roles'], 'windowMenu'>): MenuItemConstructorOptions {
  return { role: name, label: windowWords.menu.roles[name] };
}

function windowMenu(isMac: boolean): MenuItemConstructorOptions {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const more = isMac ? [separator, role('front')] : [role('close')];
  return {
    role: 'windowMenu',
    label: windowWords.menu.roles.windowMenu,
    submenu: [role('minimize'), role('zoom'), ...more],
  };
}
