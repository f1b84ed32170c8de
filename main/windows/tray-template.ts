import type { MenuItemConstructorOptions } from 'electron';
import { windowWords } from '../window-words.ts';

export interface TrayState {
  /** Servers that need the person, by id. */
  readonly needing: readonly { readonly id: string; readonly name: string }[];
  readonly isPaused: boolean;
}

export interface TrayActions {
  readonly openServer: (id: string) => void;
  readonly open: () => void;
  readonly pause: (on: boolean) => void;
  readonly quit: () => void;
}

/** How many servers are named; a menu is no list. */
const mostNamed = 8;

/** What the icon in the tray offers. */
export function trayTemplate({ needing, isPaused }: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const { tray } = windowWords;
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const named = needing.slice(0, mostNamed);
  const more = needing.length - named.length;
  const servers: MenuItemConstructorOptions[] = [
    ...named.map(({ id, name }) => ({ label: asLabel(tray.needs(name)), click: () => actions.openServer(id) })),
    ...(more > 0 ? [{ label: tray.more(more), click: () => actions.open() }] : []),
  ];
  return [
    ...(servers.length > 0 ? [...servers, separator] : []),
    { label: tray.open, click: () => actions.open() },
    { label: isPaused ? tray.resume : tray.pause, click: () => actions.pause(!isPaused) },
    separator,
    { label: tray.quit, click: () => actions.quit() },
  ];
}

/** What it says when the pointer is over it. */
export function trayToolTip({ needing, isPaused }: TrayState): string {
  const { tray } = windowWords;
  const said = [
    ...(isPaused ? [tray.paused] : []),
    ...(needing.length > 0 ? [tray.needYou(needing.length)] : []),
    ...(!isPaused && needing.length === 0 ? [tray.fine] : []),
  ];
  return `${windowWords.program}: ${said.join(', ')}`;
}

/** A single `&` would mark the key of the letter behind it. */
function asLabel(text: string): string {
  return text.replaceAll('&', '&&');
}
