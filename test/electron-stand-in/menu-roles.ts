import type * as Electron from 'electron';

type Role = NonNullable<Electron.MenuItemConstructorOptions['role']>;

export interface MenuRole {
  readonly label: string;
  readonly accelerator?: string;
  /** The stand-in's action; none if Chromium's own key already does it, or nothing can be done. */
  readonly act?: MenuAct;
  /** Submenu of a role that is a whole menu. */
  readonly submenu?: readonly Role[];
}

export type MenuAct = 'quit' | 'close' | 'minimize' | 'reload' | 'togglefullscreen';

const mac = process.platform === 'darwin';

/** Labels and shortcuts of Electron's roles, by their lower-case names. */
export const menuRoles: Readonly<Partial<Record<Lowercase<Role>, MenuRole>>> = {
  about: { label: 'About' },
  appmenu: { label: 'App', submenu: ['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit'] },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W', act: 'close' },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C' },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X' },
  delete: { label: 'Delete' },
  editmenu: { label: 'Edit', submenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'] },
  filemenu: { label: 'File', submenu: [mac ? 'close' : 'quit'] },
  front: { label: 'Bring All to Front' },
  help: { label: 'Help' },
  hide: { label: 'Hide' },
  hideothers: { label: 'Hide Others' },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', act: 'minimize' },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V' },
  pasteandmatchstyle: { label: 'Paste and Match Style', accelerator: 'Shift+CommandOrControl+V' },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', act: 'quit' },
  redo: { label: 'Redo', accelerator: 'Shift+CommandOrControl+Z' },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', act: 'reload' },
  resetzoom: { label: 'Actual Size' },
  selectall: { label: 'Select All', accelerator: 'CommandOrControl+A' },
  services: { label: 'Services' },
  toggledevtools: { label: 'Toggle Developer Tools' },
  togglefullscreen: { label: 'Toggle Full Screen', accelerator: 'F11', act: 'togglefullscreen' },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z' },
  unhide: { label: 'Show All' },
  viewmenu: { label: 'View', submenu: ['reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] },
  window: { label: 'Window' },
  windowmenu: { label: 'Window', submenu: ['minimize', 'zoom', 'close'] },
  zoom: { label: 'Zoom' },
  zoomin: { label: 'Zoom In' },
  zoomout: { label: 'Zoom Out' },
};
