import type { GuardReport } from '../../main/window/start/system/describe-guards.ts';
import { ipcCalls } from '../../shared/ipc-contract.ts';

const preferences = {
  allowRunningInsecureContent: false,
  contextIsolation: true,
  experimentalFeatures: false,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  sandbox: true,
  webSecurity: true,
  webviewTag: false,
};

const handled = ['will-attach-webview', 'will-frame-navigate', 'will-navigate', 'will-redirect', 'will-download'];

/**
 * What a running package must report about itself (PK-12). Maintained by hand: a change here changes what a page in our
 * windows can do, so it must be deliberate.
 */
export const expectedGuards: GuardReport = {
  served: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    'connection-allowlist': '(response-origin);webrtc=block',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  main: { preferences, handled },
  signIn: { preferences, handled },
  bar: { preferences, handled },
  handled: ['select-client-certificate', 'web-contents-created'],
  seen: {
    calls: ['onEvent', ...ipcCalls].toSorted(),
    node: [],
    permissions: { geolocation: 'denied', notifications: 'denied', camera: 'denied', microphone: 'denied' },
  },
};

/** Reads the report from Postern's output; `undefined` if it is not there. */
export function readGuards(stdout: string): unknown {
  const [, text] = /^guards (\{.*\})$/m.exec(stdout) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}
