import { WebContentsView } from 'electron';
import { displayPlace } from '../address/display-place.ts';
import { allowNavigation } from './guard-contents.ts';
import { appOrigin } from './resolve-app-file.ts';

export const signInBarHeight = 40;

export interface SignInBar {
  readonly view: WebContentsView;
  /** Says where the page is now. */
  show(address: string): void;
}

/** The strip above a sign-in page: a page of ours without a preload, told by its fragment and heard by its link. */
export function createSignInBar(onUseBrowser: () => void): SignInBar {
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
  allowNavigation(webContents, (target) => {
    if (target === `${appOrigin}/use-browser`) setImmediate(onUseBrowser);
    return false;
  });
  return {
    view,
    show(address) {
      const url = new URL(address);
      const said = new URLSearchParams({
        host: displayPlace(url),
        encrypted: url.protocol === 'https:' ? 'yes' : 'no',
      });
      void webContents.loadURL(`${appOrigin}/sign-in-bar.html#${said.toString()}`).catch(() => {});
    },
  };
}
