import type { WindowSurface } from '../../../shared/choices.ts';
import { browserAddress } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-text.ts';
import type { PendingAuthorization } from '../../engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { refusesEmbeddedWindows, waitingFor } from '../connections/connections.ts';
import type { Attempt, SignInPage } from '../connections/connections.ts';

export interface SignInPageOptions {
  readonly shell: DesktopShell;
  readonly onChange: () => void;
}

/**
 * Shows the sign-in page: in a popup, or in the person's browser where they want that or the service refuses popups.
 * Errors: BROWSER_OPEN_FAILED (the link stays usable), URL_SCHEME.
 */
export async function openSignInPage(
  attempt: Attempt,
  surface: () => Promise<WindowSurface>,
  page: SignInPageOptions,
): Promise<void> {
  const { authorization } = waitingFor(attempt, 'callback') ?? {};
  if (!authorization) return;
  const { url } = authorization;
  if ((await surface()) === 'browser' || refusesEmbeddedWindows(new URL(url).hostname)) {
    return await openBrowser(attempt, page);
  }
  if (pageOf(attempt, authorization) === undefined) return;
  const toBrowser = (): void => void useBrowser(attempt, page).catch(() => {});
  const popup = page.shell.openPopup({
    url,
    onArrive(next) {
      const shown = pageOf(attempt, authorization);
      if (shown?.where !== 'popup') return;
      turnTo(attempt, authorization, { ...shown, host: displayPlace(next), blocked: undefined });
      // A service may lead on to one that refuses popups; a person would be stuck there.
      if (refusesEmbeddedWindows(next.hostname)) toBrowser();
      else page.onChange();
    },
    onBlocked() {
      const shown = pageOf(attempt, authorization);
      if (shown?.where !== 'popup') return;
      const blocked = new PosternError('NAV_BLOCKED', { stage: 'authorization' });
      turnTo(attempt, authorization, { ...shown, blocked });
      page.onChange();
    },
    onUseBrowser: toBrowser,
    onClosed() {
      // Closing the page is how a person says no; once the answer is there it says nothing any more.
      if (pageOf(attempt, authorization)?.where !== 'popup') return;
      attempt.waiting = undefined;
      attempt.end();
    },
  });
  turnTo(attempt, authorization, { where: 'popup', popup, host: displayPlace(new URL(url)) });
  page.onChange();
}

/**
 * *Use my browser instead*: the same page in the person's own browser, by a one-time link; the popup goes. Errors: as
 * above, and those of `renew`.
 */
export async function useBrowser(attempt: Attempt | undefined, page: SignInPageOptions): Promise<void> {
  const waiting = waitingFor(attempt, 'callback');
  if (!attempt || !waiting) return;
  await openBrowser(attempt, page, waiting.authorization.renew);
}

/** `before`: what has to be done so that the page can open once more. */
async function openBrowser(
  attempt: Attempt,
  { shell, onChange }: SignInPageOptions,
  before?: () => Promise<void>,
): Promise<void> {
  const { authorization, page } = waitingFor(attempt, 'callback') ?? {};
  if (!authorization) return;
  closePopup(page);
  const inBrowser = { where: 'browser', host: displayPlace(new URL(authorization.url)) } as const;
  turnTo(attempt, authorization, { ...inBrowser, opened: true });
  onChange();
  try {
    await before?.();
    // Its answer may have come meanwhile, or the person has stopped it: a page that nobody waits for is not opened.
    if (!pageOf(attempt, authorization)) return;
    await shell.openBrowser(authorization.browserUrl());
  } catch (error) {
    turnTo(attempt, authorization, { ...inBrowser, opened: false });
    onChange();
    throw error;
  }
}

/** *Open again*: a popup comes to the front; a browser gets a link of its own once more. Errors: as above. */
export async function openAgain(attempt: Attempt | undefined, page: SignInPageOptions): Promise<void> {
  const device = waitingFor(attempt, 'device')?.shown;
  // Without the code: every user of the computer can read the arguments of a program.
  if (device) return await page.shell.openBrowser(browserAddress(device.page));
  const shown = waitingFor(attempt, 'callback')?.page;
  if (shown?.where === 'popup') return shown.popup.focus();
  await useBrowser(attempt, page);
}

/** The wait for the callback, or for another device, is over: its page goes, where it is ours. */
export function closeSignInPage(attempt: Attempt): void {
  if (waitingFor(attempt, 'device')) attempt.waiting = undefined;
  const waiting = waitingFor(attempt, 'callback');
  if (!waiting) return;
  // First, so that our closing of the popup is not taken for the person closing it.
  attempt.waiting = undefined;
  attempt.usedBrowser = waiting.page.where === 'browser' && waiting.page.opened;
  closePopup(waiting.page);
}

function closePopup(page: SignInPage | undefined): void {
  if (page?.where === 'popup') page.popup.close();
}

/** Where the page of this request is shown; `undefined` once another one, or none, is waited for. */
function pageOf(attempt: Attempt, authorization: PendingAuthorization): SignInPage | undefined {
  const waiting = waitingFor(attempt, 'callback');
  return waiting?.authorization === authorization ? waiting.page : undefined;
}

function turnTo(attempt: Attempt, authorization: PendingAuthorization, page: SignInPage): void {
  if (pageOf(attempt, authorization)) attempt.waiting = { for: 'callback', authorization, page };
}
