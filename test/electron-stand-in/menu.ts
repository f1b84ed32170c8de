import type * as Electron from 'electron';
import { StandInBrowserWindow } from './browser-window.ts';
import { createEvent } from './electron-event.ts';
import { internalEvents } from './internal-events.ts';
import { menuRoles } from './menu-roles.ts';
import { notEmulated, strictEmitter } from './not-emulated.ts';
import { isAccelerator } from './world/is-accelerator.ts';

type Template = Electron.MenuItemConstructorOptions;

let lastCommand = 0;
let applicationMenu: Menu | null = null;

/** A menu item. It is not drawn, but its shortcut and `click()` work. */
export class MenuItem {
  readonly commandId = (lastCommand += 1);
  readonly id: string;
  readonly role: Template['role'];
  readonly type: NonNullable<Template['type']>;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  label: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  menu: Menu | undefined;
  /** For the stand-in itself: whether Chromium must not handle its key. */
  readonly standInActs: boolean;
  readonly click: (event?: object, window?: object, contents?: object) => void;

  constructor(options: Template | MenuItem) {
    const { id, role, type, label, accelerator, submenu, enabled, visible, checked, click } = options as Template;
    const known = role === undefined ? undefined : menuRoles[role.toLowerCase() as keyof typeof menuRoles];
    if (role !== undefined && !known) notEmulated(`the menu role ${role}`);
    this.id = id ?? '';
    this.role = role;
    const entries = (submenu as Menu | Template[] | undefined) ?? known?.submenu?.map((entry) => ({ role: entry }));
    this.submenu = entries === undefined || entries instanceof Menu ? entries : Menu.buildFromTemplate(entries);
    this.type = type ?? (this.submenu ? 'submenu' : 'normal');
    this.label = label ?? known?.label ?? '';
    this.accelerator = accelerator ?? known?.accelerator;
    this.enabled = enabled ?? true;
    this.visible = visible ?? true;
    this.checked = checked ?? false;
    this.standInActs = click !== undefined || known?.act !== undefined;
    this.click = (event = createEvent(), window = StandInBrowserWindow.getFocusedWindow() ?? undefined) => {
      if (!this.enabled) return;
      if (this.type === 'checkbox') this.checked = !this.checked;
      if (this.type === 'radio') this.menu?.standInChoose(this);
      if (click) click(this as never, window as never, event);
      else if (known?.act !== undefined) internalEvents.emit('menuRole', known.act);
    };
  }
}

export class Menu extends strictEmitter('menu', ['menu-will-show', 'menu-will-close']) {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly (Template | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
    internalEvents.emit('menuKeys', menu?.standInKeys() ?? []);
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }

  insert(position: number, item: MenuItem): void {
    item.menu = this;
    this.items.splice(position, 0, item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }

  popup(): void {
    notEmulated('a pop-up menu');
  }

  closePopup(): void {}

  /** For the stand-in itself: exactly one of adjacent radio items is checked. */
  standInChoose(chosen: MenuItem): void {
    const at = this.items.indexOf(chosen);
    const isRadio = (index: number): boolean => this.items[index]?.type === 'radio';
    for (let index = at; isRadio(index); index -= 1) (this.items[index] as MenuItem).checked = false;
    for (let index = at; isRadio(index); index += 1) (this.items[index] as MenuItem).checked = false;
    chosen.checked = true;
  }

  /** For the stand-in itself: keys of items that the stand-in handles. */
  standInKeys(): string[] {
    return this.items.flatMap(({ accelerator, submenu, standInActs }) => [
      ...(standInActs && accelerator !== undefined ? [accelerator] : []),
      ...(submenu?.standInKeys() ?? []),
    ]);
  }

  /** For the stand-in itself: the item for a key. */
  standInFind(matches: (accelerator: string) => boolean): MenuItem | undefined {
    for (const item of this.items) {
      if (item.enabled && item.visible && item.accelerator !== undefined && matches(item.accelerator)) return item;
      const found = item.submenu?.standInFind(matches);
      if (found) return found;
    }
    return undefined;
  }
}

internalEvents.on('key', (press, contents) => {
  const item = applicationMenu?.standInFind((accelerator) =>
    isAccelerator(accelerator, press, process.platform === 'darwin'),
  );
  if (!item) return;
  const window = StandInBrowserWindow.fromWebContents(contents) ?? undefined;
  item.click({ ctrlKey: press.control, shiftKey: press.shift, triggeredByAccelerator: true }, window, contents);
});
