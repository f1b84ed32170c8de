import type { MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../shared/ipc-event.ts';
import { windowWords } from '../window-words.ts';

const { menu } = windowWords;

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly devTools: boolean;
  readonly onCommand: (command: WindowCommand) => void;
  /** Puts `postern` on the PATH, where an installer has not done so. */
  readonly onInstallCommand?: (() => void) | undefined;
}

/** The menu that each system expects, with its shortcuts. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, devTools, onCommand, onInstallCommand } = options;
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
  const program: MenuItemConstructorOptions = {
    label: windowWords.program,
    submenu: [
      about,
      updates,
      separator,
      settings,
      ...install,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  const connect = command(menu.connect, 'CmdOrCtrl+N', 'connect');
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
    ...(devTools ? [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const] : []),
  ];
  return [
    ...(isMac ? [program] : []),
    {
      label: menu.file,
      submenu: isMac
        ? [connect, separator, { role: 'close' }]
        : [connect, separator, settings, separator, { role: 'quit' }],
    },
    {
      label: menu.edit,
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        command(menu.find, 'CmdOrCtrl+F', 'search'),
      ],
    },
    { label: menu.view, submenu: view },
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ label: menu.help, submenu: [updates, about] }]),
  ];
}
