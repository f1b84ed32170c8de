import { app, session } from 'electron';
import type { BrowserWindow, Session, WebContents } from 'electron';
import { appOrigin } from '../../electron/resolve-app-file.ts';
import { createSignInBar, createSignInPage } from '../../electron/sign-in-popup.ts';

/** The guards in force for one page. */
interface PageGuards {
  readonly preferences: Readonly<Record<string, unknown>>;
  /** Events that have a listener. */
  readonly handled: readonly string[];
}

/** The security guards in force around pages, read back from Electron. */
export interface GuardReport {
  /** Response headers of our page. */
  readonly served: Readonly<Record<string, string | null>>;
  readonly main: PageGuards;
  readonly signIn: PageGuards;
  readonly bar: PageGuards;
  readonly handled: readonly string[];
  /** What our page itself can see. */
  readonly seen: unknown;
}

/** The web preferences that are reported. */
const preferences = [
  'allowRunningInsecureContent',
  'contextIsolation',
  'experimentalFeatures',
  'nodeIntegration',
  'nodeIntegrationInSubFrames',
  'sandbox',
  'webSecurity',
  'webviewTag',
] as const;

const inspectPage = `(async () => ({
  calls: Object.entries(window.postern).flatMap(([group, verbs]) =>
    typeof verbs === 'function' ? [group] : Object.keys(verbs).map((verb) => group + ':' + verb)).sort(),
  node: ['require', 'process', 'module', 'Buffer', 'global', 'electron'].filter((name) => name in window),
  permissions: Object.fromEntries(await Promise.all(['geolocation', 'notifications', 'camera', 'microphone'].map(
    async (name) => [name, (await navigator.permissions.query({ name })).state]))),
}))()`;

/** For checking a package (`--smoke --describe-guards`, PK-12). */
export async function describeGuards(window: BrowserWindow): Promise<GuardReport> {
  const { headers } = await session.defaultSession.fetch(`${appOrigin}/index.html`);
  const partition = session.fromPartition('guards', { cache: false });
  const signIn = createSignInPage(partition).webContents;
  const bar = createSignInBar({ onUseBrowser: () => {}, onTryAgain: () => {} }).view.webContents;
  const report = {
    served: Object.fromEntries(
      ['content-security-policy', 'connection-allowlist', 'referrer-policy', 'x-content-type-options'].map((name) => [
        name,
        headers.get(name),
      ]),
    ),
    main: describePage(window.webContents),
    signIn: describePage(signIn),
    bar: describePage(bar),
    handled: handledEvents(app, ['select-client-certificate', 'web-contents-created']),
    seen: await window.webContents.executeJavaScript(inspectPage),
  };
  for (const contents of [signIn, bar]) contents.close();
  return report;
}

/** Not in Electron's public types: the effective web preferences, including defaults. */
type InspectableContents = WebContents & { getLastWebPreferences(): Readonly<Record<string, unknown>> | null };

function describePage(contents: WebContents): PageGuards {
  const last = (contents as InspectableContents).getLastWebPreferences() ?? {};
  return {
    preferences: Object.fromEntries(preferences.map((name) => [name, last[name]])),
    handled: [
      ...handledEvents(contents, ['will-attach-webview', 'will-frame-navigate', 'will-navigate', 'will-redirect']),
      ...handledEvents(contents.session, ['will-download']),
    ],
  };
}

function handledEvents(emitter: typeof app | Session | WebContents, events: readonly string[]): string[] {
  return events.filter((event) => emitter.listenerCount(event) > 0);
}
