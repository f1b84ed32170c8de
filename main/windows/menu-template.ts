import type { MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../shared/ipc-event.ts';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly devTools: boolean;
  readonly onCommand: (command: WindowCommand) => void;
}

/** The menu that each system expects, with its shortcuts. */
export function menuTemplate({ platform, devTools, onCommand }: MenuOptions): MenuItemConstructorOptions[] {
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
  const settings = command('Settings…', 'CmdOrCtrl+,', 'settings');
  const about = command('About Postern', undefined, 'about');
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const program: MenuItemConstructorOptions = {
    label: 'Postern',
    submenu: [
      about,
      separator,
      settings,
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
  const connect = command('Connect a Server…', 'CmdOrCtrl+N', 'connect');
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
      label: '&File',
      submenu: isMac
        ? [connect, separator, { role: 'close' }]
        : [connect, separator, settings, separator, { role: 'quit' }],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        command('Find', 'CmdOrCtrl+F', 'search'),
      ],
    },
    { label: '&View', submenu: view },
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ label: '&Help', submenu: [about] }]),
  ];
}
