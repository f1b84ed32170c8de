import { fileURLToPath } from 'node:url';
import type { Target } from './browser.ts';
import type { CdpConnection } from './cdp-connection.ts';

/** Only for Chromium's first context, or for all others. */
export type SettingScope = 'regular_only' | 'incognito_persistent';

/** Chromium settings that its protocol cannot change at runtime, but an extension can. */
export interface ChromiumSettings {
  set(
    name: 'privacy.network.webRTCIPHandlingPolicy' | 'proxy.settings',
    scope: SettingScope,
    value: unknown,
  ): Promise<void>;
}

/** Milliseconds: timeout for its page, and polling interval. */
const timing = { longest: 10_000, step: 5 } as const;

export const settingsExtension = fileURLToPath(new URL('settings-extension', import.meta.url));

/** The extension has one page without a script, which exists outside any window while something is set. */
export function openChromiumSettings(
  connection: CdpConnection,
  openPage: (url: string) => Promise<Target>,
): ChromiumSettings {
  const loading = connection.send('Extensions.loadUnpacked', { path: settingsExtension, enableInIncognito: true });
  loading.catch(() => {});
  return {
    async set(name, scope, value) {
      const { id } = await loading;
      const { id: targetId, session } = await openPage(`chrome-extension://${id}/page.html`);
      const isThere = { expression: 'typeof globalThis.chrome?.proxy', returnByValue: true };
      const end = performance.now() + timing.longest;
      while ((await session.send('Runtime.evaluate', isThere))['result'].value !== 'object') {
        if (performance.now() > end) throw new Error("the stand-in's extension shows no page");
        await new Promise((resolve) => setTimeout(resolve, timing.step));
      }
      const expression = `chrome.${name}.set(${JSON.stringify({ scope, value })}).then(() => true)`;
      const result = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      connection.post('Target.closeTarget', { targetId });
      if (result['result'].value !== true) throw new Error(`Chromium refuses a setting: ${JSON.stringify(result)}`);
    },
  };
}
