import type { WindowSurface } from '../../../shared/choices.ts';
import { displayPlace } from '../../address/display-place.ts';
import type { PendingAuthorization } from '../../integration/sign-in/sign-in-interaction.ts';
import type { DesktopShell } from '../../window-ports.ts';
import type { Connection } from '../connections/connections.ts';
import { refusesEmbeddedWindows } from '../connections/refuses-embedded-windows.ts';
import type { SignInPage } from '../connections/waiting.ts';
import { waitingFor } from '../connections/waiting.ts';

export interface SignInPageOptions {
  readonly shell: DesktopShell;
  /** What the settings say now. */
  readonly surface: () => Promise<WindowSurface>;
  readonly onChange: () => void;
}

/**
 * Shows the sign-in page: in a popup, or in the person's browser where they want that (for this server, else for all)
 * or the service refuses popups. Errors: BROWSER_OPEN_FAILED (the link stays usable), URL_SCHEME.
 */
export async function openSignInPage(connection: Connection, page: SignInPageOptions): Promise<void> {
  const { authorization } = waitingFor(connection, 'callback') ?? {};
  if (!authorization) return;
  const { url } = authorization;
  const surface = connection.wanted.options.signInSurface ?? (await page.surface());
  if (surface === 'browser' || refusesEmbeddedWindows(new URL(url).hostname)) return await useBrowser(connection, page);
  if (pageOf(connection, authorization) === undefined) return;
  const toBrowser = (): void => void useBrowser(connection, page).catch(() => {});
  const popup = page.shell.openPopup({
    url,
    onArrive(next) {
      const shown = pageOf(connection, authorization);
      if (shown?.where !== 'popup') return;
      turnTo(connection, authorization, { ...shown, host: displayPlace(next), blocked: false });
      // A service may lead on to one that refuses popups; a person would be stuck there.
      if (refusesEmbeddedWindows(next.hostname)) toBrowser();
      else page.onChange();
    },
    onBlocked() {
      const shown = pageOf(connection, authorization);
      if (shown?.where !== 'popup') return;
      turnTo(connection, authorization, { ...shown, blocked: true });
      page.onChange();
    },
    onUseBrowser: toBrowser,
    onClosed() {
      // Closing the page is how a person says no; once the answer is there it says nothing any more.
      if (pageOf(connection, authorization)?.where !== 'popup') return;
      connection.waiting = undefined;
      connection.attempt?.end();
    },
  });
  turnTo(connection, authorization, { where: 'popup', popup, host: displayPlace(new URL(url)), blocked: false });
  page.onChange();
}

/**
 * *Use my browser instead*: the same page in the person's own browser, by a one-time link; the popup goes. Errors: as
 * above.
 */
export async function useBrowser(connection: Connection, { shell, onChange }: SignInPageOptions): Promise<void> {
  const { authorization, page } = waitingFor(connection, 'callback') ?? {};
  if (!authorization) return;
  closePopup(page);
  const inBrowser = { where: 'browser', host: displayPlace(new URL(authorization.url)) } as const;
  turnTo(connection, authorization, { ...inBrowser, opened: true });
  onChange();
  try {
    await shell.openBrowser(authorization.browserUrl());
  } catch (error) {
    turnTo(connection, authorization, { ...inBrowser, opened: false });
    onChange();
    throw error;
  }
}

/** *Open again*: a popup comes to the front; a browser gets a link of its own once more. Errors: as above. */
export async function openAgain(connection: Connection, page: SignInPageOptions): Promise<void> {
  const shown = waitingFor(connection, 'callback')?.page;
  if (shown?.where === 'popup') return shown.popup.focus();
  await useBrowser(connection, page);
}

/** The wait for the callback is over: its page goes, where it is ours. */
export function closeSignInPage(connection: Connection): void {
  const waiting = waitingFor(connection, 'callback');
  if (!waiting) return;
  // First, so that this closing is not taken for the person's.
  connection.waiting = undefined;
  closePopup(waiting.page);
}

function closePopup(page: SignInPage | undefined): void {
  if (page?.where === 'popup') page.popup.close();
}

/** Where the page of this request is shown; `undefined` once another one, or none, is waited for. */
function pageOf(connection: Connection, authorization: PendingAuthorization): SignInPage | undefined {
  const waiting = waitingFor(connection, 'callback');
  return waiting?.authorization === authorization ? waiting.page : undefined;
}

function turnTo(connection: Connection, authorization: PendingAuthorization, page: SignInPage): void {
  if (pageOf(connection, authorization)) connection.waiting = { for: 'callback', authorization, page };
}
