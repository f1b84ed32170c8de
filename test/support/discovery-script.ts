import { checkAddress } from '../../main/address/check-address.ts';
import type { AddressPolicy } from '../../main/address/check-address.ts';
import { parseInput } from '../../main/address/parse-address.ts';
import { createDiscoveryContext } from '../../main/oauth/discovery/discovery.ts';
import type { DiscoveryContext, DiscoveryStep } from '../../main/oauth/discovery/discovery.ts';
import { resourceMetadataUrls } from '../../main/oauth/discovery/protected-resource-metadata.ts';
import { asChecked } from './as-checked.ts';
import { createFakeClock } from './fake-clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { scriptedHttp } from './scripted-http.ts';
import type { ScriptedExchange, ScriptedHttp } from './scripted-http.ts';

export interface DiscoveryScript {
  readonly http: ScriptedHttp;
  readonly clock: FakeClock;
  readonly policy: AddressPolicy;
  readonly steps: DiscoveryStep[];
  readonly context: DiscoveryContext;
}

/** Runs discovery of `url` with default options (or `local`) over scripted exchanges. */
export function discoveryScript(
  url: string,
  script: readonly ScriptedExchange[],
  options: { readonly local?: boolean; readonly clock?: FakeClock; readonly signal?: AbortSignal } = {},
): DiscoveryScript {
  const http = scriptedHttp(script);
  const clock = options.clock ?? createFakeClock();
  const steps: DiscoveryStep[] = [];
  const policy: AddressPolicy = {
    local: options.local ?? false,
    typedHost: new URL(url).hostname,
    allowedHosts: [],
    allowHttp: false,
  };
  const onStep = (step: DiscoveryStep) => steps.push(step);
  const address = checkAddress(parseInput(url), policy, 'address');
  const context = createDiscoveryContext({ http, clock }, { url: address, policy, onStep, signal: options.signal });
  return { http, clock, policy, steps, context };
}

export const get = (url: string, response: Omit<ScriptedExchange, 'method' | 'url'>): ScriptedExchange => ({
  method: 'GET',
  url,
  ...response,
});
export const post = (url: string, response: Omit<ScriptedExchange, 'method' | 'url'>): ScriptedExchange => ({
  method: 'POST',
  url,
  ...response,
});
export const notFound = (url: string): ScriptedExchange => get(url, { status: 404, text: 'not here' });
export const html = (url: string): ScriptedExchange =>
  get(url, { text: '<title>Sign in</title>', headers: { 'content-type': 'text/html' } });

/** Metadata of an authorization server whose endpoints are at `base`. */
export function serverMetadata(issuer: string, more: object = {}, base = issuer.replace(/\/$/, '')): object {
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    code_challenge_methods_supported: ['S256'],
    ...more,
  };
}

/** The code of the PosternError that `run` throws. */
export async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return 'none';
}

/**
 * The script of a discovery that starts with a probe, in request order: two metadata requests go out together with the
 * probe, whether or not they are needed. They get a 404 unless the script says otherwise. `pinned`: a known
 * authorization server elsewhere.
 */
export function inRequestOrder(
  serverUrl: string,
  [probe, ...rest]: readonly ScriptedExchange[],
  pinned?: string,
): ScriptedExchange[] {
  if (probe === undefined) return [];
  const url = new URL(serverUrl);
  const addresses = [
    resourceMetadataUrls(asChecked(url.href))[0],
    `${url.origin}/.well-known/oauth-authorization-server`,
  ];
  const early = (pinned === undefined ? addresses : addresses.slice(0, 1)).map(
    (address) => rest.find((exchange) => exchange.url === address) ?? notFound(address),
  );
  return [probe, ...early, ...rest.filter((exchange) => !early.includes(exchange))];
}
