import { webFrameMain } from 'electron';
import type { WebContents } from 'electron';

/**
 * Resolves once the page asks for a passkey or a security key by itself; one that only waits in the list of a field
 * (conditional mediation) is none that a person waits for. Not there in a page without encryption.
 */
const firstUse = `new Promise((resolve) => {
  const { prototype } = globalThis.CredentialsContainer ?? {};
  for (const name of prototype ? ['get', 'create'] : []) {
    const original = prototype[name];
    prototype[name] = function (options) {
      if (options?.publicKey && options.mediation !== 'conditional') resolve(true);
      return Reflect.apply(original, this, arguments);
    };
  }
})`;

/**
 * Tells of each document that asks for a passkey, also of one in a frame: many services have their sign-in there, or
 * that of another one. Electron has no window in which a person could choose one, and on
 * most systems such a request is refused, or never answered. It is heard of in the page's own world, so a page can say
 * that it asks when it does not: that brings it nothing but the person's own browser.
 */
export function watchPasskeyUse(contents: WebContents, onUse: () => void): void {
  contents.on('did-frame-navigate', (_event, _url, _status, _text, _isMainFrame, processId, routingId) => {
    // `webContents.executeJavaScript` would wait until all has loaded. It ends without an answer with the document.
    webFrameMain
      .fromId(processId, routingId)
      ?.executeJavaScript(firstUse)
      .then(onUse, () => {});
  });
}
