import { create } from 'zustand';
import type { PlainError } from '../shared/error-codes.ts';
import type { IpcEvent, PosternLink } from '../shared/ipc-event.ts';
import { words } from './words.ts';

export const integrationTabs = ['overview', 'use', 'tools', 'process', 'permissions', 'activity', 'settings'] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

/** What a person has dropped on the window. */
export interface Dropped {
  readonly text: string;
}

/** An address that came by a link, to be checked. */
export interface LinkedAddress {
  readonly url: string;
}

/** The part of the settings that a person is led to. */
export type SettingsSection =
  'storage' | 'callback' | 'gateway-port' | 'background' | 'appearance' | 'list' | 'registry' | 'update' | 'about';

export type View =
  | { readonly name: 'home' }
  | {
      readonly name: 'connect';
      readonly connectionId?: string | undefined;
      readonly dropped?: Dropped | undefined;
      /** Stays with the check that it leads to. */
      readonly linked?: LinkedAddress | undefined;
    }
  | {
      readonly name: 'integration';
      readonly id: string;
      readonly tab: IntegrationTab;
      readonly isNew?: boolean;
      /** Led to a setting that does not stand in sight. */
      readonly openAdvanced?: boolean;
    }
  | { readonly name: 'programs' }
  | { readonly name: 'activity' }
  | { readonly name: 'program'; readonly id: string }
  | { readonly name: 'settings'; readonly section?: SettingsSection | undefined };

/** Sentences in the language that is spoken; empty ones are left out. */
export type Said = () => readonly string[];

const nothing: Said = () => [];

interface ViewState {
  readonly view: View;
  /** What was done, e.g. what became of the access after a removal. Asked for as it is drawn, in the language of then. */
  readonly flash: Said;
  /** The servers whose removal was asked for. */
  readonly removing?: readonly string[] | undefined;
  /** The servers whose programs are chosen together. */
  readonly using?: readonly string[] | undefined;
  /** Everything is being searched. */
  readonly isPaletteOpen?: boolean;
  /** Why the last link led nowhere. */
  readonly lostLink?: 'unusable' | 'unknown' | undefined;
  /** A link that came while the person was at something else; a newer one takes its place. */
  readonly heldLink?: PosternLink | undefined;
}

/** Where the person is looking: the only state that the window has of its own. */
export const useView = create<ViewState>()(() => ({ view: { name: 'home' }, flash: nothing }));

/** By server: the page opens where it was left. */
const lastTabs = new Map<string, IntegrationTab>();

export function show(view: View): void {
  if (view.name === 'integration') lastTabs.set(view.id, view.tab);
  useView.setState({ view, flash: nothing, lostLink: undefined });
}

/** Where there is nothing to see, and the person is led on: what was said of the step before stays. */
export function leadOn(view: View): void {
  useView.setState({ view });
}

/** Where the connect page stays from now on, whatever becomes of the connection. */
export function stayAt(connectionId: string): void {
  useView.setState(({ view }) => (view.name === 'connect' ? { view: { ...view, connectionId } } : {}));
}

export function showIntegration(id: string, tab: IntegrationTab = lastTabs.get(id) ?? 'overview'): void {
  show({ name: 'integration', id, tab });
}

/** At the end of its sign-in. */
export function showConnected(id: string): void {
  show({ name: 'integration', id, tab: 'tools', isNew: true });
}

/** Says something once, in place of what was said before. */
export function flash(say: Said): void {
  useView.setState({ flash: say });
}

export function flashError(error: PlainError): void {
  flash(() => [words.errors.message(error)]);
}

export function endFlash(): void {
  useView.setState({ flash: nothing });
}

export function beginRemoval(ids: readonly string[]): void {
  useView.setState({ removing: ids });
}

export function endRemoval(): void {
  useView.setState({ removing: undefined });
}

export function beginUse(ids: readonly string[]): void {
  useView.setState({ using: ids });
}

export function endUse(): void {
  useView.setState({ using: undefined });
}

export function openPalette(): void {
  useView.setState({ isPaletteOpen: true });
}

export function closePalette(): void {
  useView.setState({ isPaletteOpen: false });
}

export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('#search')?.focus();
}

/** What a menu or a notification asks for. */
export function followCommand(event: Extract<IpcEvent, { event: 'command' }>): void {
  switch (event.command) {
    case 'connect':
      return show({ name: 'connect' });
    case 'search':
      return focusSearch();
    case 'settings':
      return show({ name: 'settings' });
    case 'updates':
      return show({ name: 'settings', section: 'update' });
    case 'about':
      return show({ name: 'settings', section: 'about' });
    case 'integration':
      if (event.integrationId !== undefined) showIntegration(event.integrationId);
  }
}
