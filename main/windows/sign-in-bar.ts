import { WebContentsView } from 'electron';
import type { SignInNotice } from '../../shared/sign-in-notice.ts';
import { displayPlace } from '../address/display-place.ts';
import { windowLanguage } from '../window-words.ts';
import { allowNavigation } from './guard-contents.ts';
import { appOrigin } from './resolve-app-file.ts';

/** Height of the bar alone, and with a notice under it. */
export const signInBarHeight = { alone: 40, withNotice: 88 } as const;

export interface SignInBar {
  readonly view: WebContentsView;
  /** Says where the page is now, and what the person has to know of it. */
  show(address: string, notice?: SignInNotice): void;
}

export interface SignInBarOptions {
  readonly onUseBrowser: () => void;
  readonly onTryAgain: () => void;
}

/**
 * The strip above a sign-in page, which covers a page that could not be loaded: a page of ours without a preload, told
 * by its fragment and heard by its links.
 */
export function createSignInBar({ onUseBrowser, onTryAgain }: SignInBarOptions): SignInBar {
  const view = new WebContentsView({
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      devTools: false,
      spellcheck: false,
    },
  });
  const { webContents } = view;
  const links: Readonly<Record<string, () => void>> = {
    [`${appOrigin}/use-browser`]: onUseBrowser,
    [`${appOrigin}/try-again`]: onTryAgain,
  };
  allowNavigation(webContents, (target) => {
    const follow = links[target];
    if (follow) setImmediate(follow);
    return false;
  });
  return {
    view,
    show(address, notice) {
      const url = new URL(address);
      const said = new URLSearchParams({
        language: windowLanguage,
        host: displayPlace(url),
        encrypted: url.protocol === 'https:' ? 'yes' : 'no',
        ...notice,
      });
      if (webContents.isDestroyed()) return;
      void webContents.loadURL(`${appOrigin}/sign-in-bar.html#${said.toString()}`).catch(() => {});
    },
  };
}
