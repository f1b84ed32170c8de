import { create } from 'zustand';
import type { PlainError } from '../shared/error-codes.ts';
import type { AppPreview } from '../shared/app-view.ts';
import type { IpcEvent, PosternLink } from '../shared/ipc-event.ts';
import type { SettingsTarget } from './settings-rows.ts';
import { retain, viewStateKey } from './use-retained-state.ts';
import { words } from './words.ts';

export const integrationTabs = ['overview', 'apps', 'tools', 'settings'] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

/** A section of a tab to scroll to; `permissions` is on the tab of the AI apps. */
export type IntegrationSection = 'permissions';

/** Text or a link that the user dropped on the window. */
export interface DroppedText {
  readonly text: string;
}

/** An address from a link, to be checked. */
export interface LinkedAddress {
  readonly url: string;
}

export type View =
  | { readonly name: 'home' }
  | {
      readonly name: 'connect';
      readonly connectionId?: string | undefined;
      readonly dropped?: DroppedText | undefined;
      /** Stays with the check that it starts. */
      readonly linked?: LinkedAddress | undefined;
    }
  | {
      readonly name: 'integration';
      readonly id: string;
      readonly tab: IntegrationTab;
      readonly isNew?: boolean;
      readonly section?: IntegrationSection | undefined;
      /** Opens the section with the setting that the user was sent to. */
      readonly openAdvanced?: boolean;
    }
  | { readonly name: 'apps' }
  | { readonly name: 'activity' }
  | { readonly name: 'app'; readonly id: string }
  | { readonly name: 'settings'; readonly target?: SettingsTarget | undefined };

/** Sentences in the current language; empty ones are skipped. */
export type FlashText = () => readonly string[];

const nothing: FlashText = () => [];

/** Changes of app files that were just made, as their toast can undo and show them. */
export interface Undoable {
  readonly changes: readonly { readonly app: string; readonly name: string; readonly change: string }[];
  readonly previews: readonly AppPreview[];
}

interface ViewState {
  readonly view: View;
  /** One-time message, e.g. what a removal did. A function, so that it is rendered in the current language. */
  readonly flash: FlashText;
  /** What the message is about, if the user can undo it. */
  readonly undoable?: Undoable | undefined;
  /** Servers whose removal was requested. */
  readonly removing?: readonly string[] | undefined;
  /** Servers that the user is choosing apps for. */
  readonly selectingAppsFor?: readonly string[] | undefined;
  readonly isPaletteOpen?: boolean;
  /** Why the last link could not be opened. */
  readonly linkError?: 'unusable' | 'unknown' | undefined;
  /** A link that arrived while the user was busy; a newer one replaces it. */
  readonly pendingLink?: PosternLink | undefined;
}

/** What the user is looking at: the only state that the window owns. */
export const useView = create<ViewState>()(() => ({ view: { name: 'home' }, flash: nothing }));

/** By server: the last open tab. */
const lastTabs = new Map<string, IntegrationTab>();

export function show(view: View): void {
  if (view.name === 'integration') lastTabs.set(view.id, view.tab);
  useView.setState({ view, flash: nothing, undoable: undefined, linkError: undefined });
}

/** Redirects from an empty page. Keeps the flash message of the step before. */
export function redirect(view: View): void {
  useView.setState({ view });
}

/** The connect page stays with this connection, whatever happens to it. */
export function pinConnection(connectionId: string): void {
  useView.setState(({ view }) => (view.name === 'connect' ? { view: { ...view, connectionId } } : {}));
}

export function showIntegration(
  id: string,
  target: IntegrationTab | IntegrationSection = lastTabs.get(id) ?? 'overview',
): void {
  if (target === 'permissions') show({ name: 'integration', id, tab: 'apps', section: target });
  else show({ name: 'integration', id, tab: target });
}

/** The rules of a server, for one app or for all. */
export function showPermissions(id: string, app?: string): void {
  if (app !== undefined) retain(id, viewStateKey('permissions'), { app });
  showIntegration(id, 'permissions');
}

/** After a sign-in. */
export function showConnected(id: string): void {
  show({ name: 'integration', id, tab: 'tools', isNew: true });
}

/** Shows a one-time message, replacing the previous one. */
export function flash(text: FlashText, undoable?: Undoable): void {
  useView.setState({ flash: text, undoable });
}

export function flashError(error: PlainError): void {
  flash(() => [words.errors.message(error)]);
}

export function endFlash(): void {
  useView.setState({ flash: nothing, undoable: undefined });
}

export function beginRemoval(ids: readonly string[]): void {
  useView.setState({ removing: ids });
}

export function endRemoval(): void {
  useView.setState({ removing: undefined });
}

export function openAppSelection(ids: readonly string[]): void {
  useView.setState({ selectingAppsFor: ids });
}

export function closeAppSelection(): void {
  useView.setState({ selectingAppsFor: undefined });
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

/** Command from a menu or a notification. */
export function followCommand(event: Extract<IpcEvent, { event: 'command' }>): void {
  switch (event.command) {
    case 'connect':
      return show({ name: 'connect' });
    case 'search':
      return focusSearch();
    case 'settings':
      return show({ name: 'settings' });
    case 'updates':
      return show({ name: 'settings', target: 'checkForUpdates' });
    case 'about':
      return show({ name: 'settings', target: 'about' });
    case 'integration':
      if (event.integrationId !== undefined) showIntegration(event.integrationId);
  }
}
