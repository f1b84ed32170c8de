import type { WindowSurface } from '../../../shared/app-view.ts';
import { displayPlace } from '../../address/display-place.ts';
import type { DesktopShell } from '../../window-ports.ts';
import type { Connection } from './connection.ts';
import { refusesEmbeddedWindows } from './refuses-embedded-windows.ts';

export interface SignInPageOptions {
  readonly shell: DesktopShell;
  /** What the settings say now. */
  readonly surface: () => Promise<WindowSurface>;
  readonly onChange: () => void;
}

/**
 * Shows the sign-in page: in a popup, or in the person's browser where they want that (for this server, else for all) or the service refuses popups.
 * Errors: BROWSER_OPEN_FAILED (the link stays usable), URL_SCHEME.
 */
export async function openSignInPage(connection: Connection, page: SignInPageOptions): Promise<void> {
  const { signIn } = connection;
  if (!signIn) return;
  const host = new URL(signIn.authorization.url).hostname;
  const surface = connection.options.signInSurface ?? (await page.surface());
  if (surface === 'browser' || refusesEmbeddedWindows(host)) return await useBrowser(connection, page);
  if (connection.signIn !== signIn) return;
  signIn.surface = 'popup';
  signIn.popup = page.shell.openPopup({
    url: signIn.authorization.url,
    onArrive(next) {
      signIn.host = displayPlace(next);
      signIn.blocked = false;
      // A service may lead on to one that refuses popups; a person would be stuck there.
      if (refusesEmbeddedWindows(next.hostname)) void useBrowser(connection, page).catch(() => {});
      else page.onChange();
    },
    onBlocked() {
      signIn.blocked = true;
      page.onChange();
    },
    onUseBrowser: () => void useBrowser(connection, page).catch(() => {}),
    onClosed() {
      signIn.popup = undefined;
      // Closing the page is how a person says no; once the answer is there it says nothing any more.
      if (connection.signIn === signIn && connection.state.name === 'authorizationPending') connection.abort.abort();
    },
  });
  page.onChange();
}

/** *Use my browser instead*: the same page in the person's own browser, by a one-time link; the popup goes. Errors: as above. */
export async function useBrowser(connection: Connection, { shell, onChange }: SignInPageOptions): Promise<void> {
  const { signIn } = connection;
  if (!signIn) return;
  signIn.popup?.close();
  signIn.popup = undefined;
  signIn.surface = 'browser';
  signIn.blocked = false;
  signIn.host = displayPlace(new URL(signIn.authorization.url));
  signIn.opened = true;
  onChange();
  try {
    await shell.openBrowser(signIn.authorization.browserUrl());
  } catch (error) {
    signIn.opened = false;
    onChange();
    throw error;
  }
}

/** *Open again*: a popup comes to the front; a browser gets a link of its own once more. Errors: as above. */
export async function openAgain(connection: Connection, page: SignInPageOptions): Promise<void> {
  const { signIn } = connection;
  if (signIn?.popup) return signIn.popup.focus();
  if (signIn?.surface === 'browser') return await useBrowser(connection, page);
  await openSignInPage(connection, page);
}
