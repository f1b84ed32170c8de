import type * as Electron from 'electron';
import { browser } from './browser.ts';
import type { SettingScope } from './chromium-settings.ts';
import { notEmulated } from './not-emulated.ts';

export type WebRtcPolicy = Parameters<Electron.WebContents['setWebRTCIPHandlingPolicy']>[0];

export interface WithWebRtcPolicy {
  /** True for Chromium's first context. */
  readonly inFirstContext: boolean;
  readonly policy: WebRtcPolicy;
}

const inForce: Record<SettingScope, WebRtcPolicy> = { regular_only: 'default', incognito_persistent: 'default' };
let applying: Promise<unknown> = Promise.resolve();

/**
 * Applies exactly the policy that pages requested. Chromium has one policy for its first context and one for all
 * others, so pages that share one cannot differ.
 */
export async function applyWebRtcPolicies(pages: readonly WithWebRtcPolicy[]): Promise<void> {
  const next = applying.then(async () => {
    await applyTo(
      'regular_only',
      pages.filter(({ inFirstContext }) => inFirstContext),
    );
    await applyTo(
      'incognito_persistent',
      pages.filter(({ inFirstContext }) => !inFirstContext),
    );
  });
  applying = next.catch(() => {});
  await next;
}

async function applyTo(scope: SettingScope, pages: readonly WithWebRtcPolicy[]): Promise<void> {
  const [policy, ...others] = new Set(pages.map((page) => page.policy));
  if (others.length > 0) notEmulated('pages with different WebRTC policies at once');
  if (policy === undefined || policy === inForce[scope]) return;
  const { settings } = await browser();
  await settings.set('privacy.network.webRTCIPHandlingPolicy', scope, policy);
  inForce[scope] = policy;
}
