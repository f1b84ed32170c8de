import type { WindowSurface } from '../../../shared/choices.ts';
import { browserAddress } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import type { PendingAuthorization } from '../../engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { refusesEmbeddedWindows, waitingFor } from '../attempts/sign-in-attempts.ts';
import type { AttemptRun, SignInPage } from '../attempts/sign-in-attempts.ts';

export interface SignInPageOptions {
  readonly shell: DesktopShell;
  readonly onChange: () => void;
}

/**
 * Opens the sign-in page in a popup; in the user's browser if they prefer that or the service refuses popups.
 * Errors: BROWSER_OPEN_FAILED (the link remains usable), URL_SCHEME.
 */
export async function openSignInPage(
  run: AttemptRun,
  surface: () => Promise<WindowSurface>,
  page: SignInPageOptions,
): Promise<void> {
  const { authorization } = waitingFor(run, 'callback') ?? {};
  if (!authorization) return;
  const { url } = authorization;
  if ((await surface()) === 'browser' || refusesEmbeddedWindows(new URL(url).hostname)) {
    return await openBrowser(run, page);
  }
  if (pageOf(run, authorization) === undefined) return;
  const switchToBrowser = (): void => void useBrowser(run, page).catch(() => {});
  const popup = page.shell.openPopup({
    url,
    onArrive(next) {
      const current = pageOf(run, authorization);
      if (current?.where !== 'popup') return;
      setPage(run, authorization, { ...current, host: displayHostAndPort(next), blocked: undefined });
      // A service may redirect to one that refuses popups, where the user would be stuck.
      if (refusesEmbeddedWindows(next.hostname)) switchToBrowser();
      else page.onChange();
    },
    onBlocked() {
      const current = pageOf(run, authorization);
      if (current?.where !== 'popup') return;
      const blocked = new PosternError('NAV_BLOCKED', { stage: 'authorization' });
      setPage(run, authorization, { ...current, blocked });
      page.onChange();
    },
    onUseBrowser: switchToBrowser,
    onClosed() {
      // Closing the popup cancels the sign-in, unless the response has already arrived.
      if (pageOf(run, authorization)?.where !== 'popup') return;
      run.waiting = undefined;
      run.end();
    },
  });
  setPage(run, authorization, { where: 'popup', popup, host: displayHostAndPort(new URL(url)) });
  page.onChange();
}

/**
 * *Use my browser instead*: closes the popup and opens the same page in the user's browser by a one-time link. Errors:
 * as `openSignInPage`, and those of `renew`.
 */
export async function useBrowser(run: AttemptRun | undefined, page: SignInPageOptions): Promise<void> {
  const waiting = waitingFor(run, 'callback');
  if (!run || !waiting) return;
  await openBrowser(run, page, waiting.authorization.renew);
}

/** `renew`: renews the request, so that the page can be opened again. */
async function openBrowser(
  run: AttemptRun,
  { shell, onChange }: SignInPageOptions,
  renew?: () => Promise<void>,
): Promise<void> {
  const { authorization, page } = waitingFor(run, 'callback') ?? {};
  if (!authorization) return;
  closePopup(page);
  const browserPage = { where: 'browser', host: displayHostAndPort(new URL(authorization.url)) } as const;
  setPage(run, authorization, { ...browserPage, opened: true });
  onChange();
  try {
    await renew?.();
    // The response may have arrived meanwhile, or the user has cancelled: then no page is opened.
    if (!pageOf(run, authorization)) return;
    await shell.openBrowser(authorization.browserUrl());
  } catch (error) {
    setPage(run, authorization, { ...browserPage, opened: false });
    onChange();
    throw error;
  }
}

/** *Open again*: brings a popup to the front, or opens a new one-time link in the browser. Errors: as `useBrowser`. */
export async function reopenSignInPage(run: AttemptRun | undefined, page: SignInPageOptions): Promise<void> {
  const device = waitingFor(run, 'device')?.devicePage;
  // Without the code: every local user can read the arguments of a process.
  if (device) return await page.shell.openBrowser(browserAddress(device.page));
  const current = waitingFor(run, 'callback')?.page;
  if (current?.where === 'popup') return current.popup.focus();
  await useBrowser(run, page);
}

/** Ends the wait for the callback or the other device, and closes the popup. */
export function closeSignInPage(run: AttemptRun): void {
  if (waitingFor(run, 'device')) run.waiting = undefined;
  const waiting = waitingFor(run, 'callback');
  if (!waiting) return;
  // First, so that closing the popup does not look like the user cancelling.
  run.waiting = undefined;
  run.usedBrowser = waiting.page.where === 'browser' && waiting.page.opened;
  closePopup(waiting.page);
}

function closePopup(page: SignInPage | undefined): void {
  if (page?.where === 'popup') page.popup.close();
}

/** The page of this request; `undefined` if the run no longer waits for it. */
function pageOf(run: AttemptRun, authorization: PendingAuthorization): SignInPage | undefined {
  const waiting = waitingFor(run, 'callback');
  return waiting?.authorization === authorization ? waiting.page : undefined;
}

function setPage(run: AttemptRun, authorization: PendingAuthorization, page: SignInPage): void {
  if (pageOf(run, authorization)) run.waiting = { for: 'callback', authorization, page };
}
