import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';

/**
 * The options for `wanted.url` that also apply to `url`: at the same origin, all of them. Agreed hosts, sign-in
 * endpoints and exceptions do not carry over to another origin. An upgrade of the same host to https carries over more,
 * but nothing that decides where secrets go.
 */
export function carryOverOptions(
  url: string,
  wanted: { readonly url: string; readonly options: IntegrationOptions },
): Partial<IntegrationOptions> {
  if (url === wanted.url || isSameOrigin(url, wanted.url)) return wanted.options;
  const { pkce, scope, signInSurface, callbackHost, local, legacyEndpoints, sendResource } = wanted.options;
  const anywhere = dropUndefined({ pkce, scope, signInSurface, callbackHost });
  return isUpgrade(wanted.url, url) ? { ...anywhere, local, legacyEndpoints, sendResource } : anywhere;
}

/** From http to https on default ports. A different name (such as with `www.`) may have a different owner. */
function isUpgrade(before: string, after: string): boolean {
  const [plain, encrypted] = [URL.parse(before), URL.parse(after)];
  if (plain?.protocol !== 'http:' || encrypted?.protocol !== 'https:') return false;
  return plain.hostname === encrypted.hostname && plain.port === '' && encrypted.port === '';
}

function isSameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}

/** Whether discovery would give the same result with both. */
export function haveSameDiscovery(one: IntegrationOptions, other: IntegrationOptions): boolean {
  const steering = (options: IntegrationOptions): string => {
    const { local, allowedHosts, allowHttp, legacyEndpoints, clientMetadataUrl, authorizationServer } = options;
    const { endpoints, grant, isIdentityProvider } = options;
    return JSON.stringify([
      ...[local, allowedHosts, allowHttp, legacyEndpoints, clientMetadataUrl, authorizationServer],
      ...[endpoints, grant, isIdentityProvider],
    ]);
  };
  return steering(one) === steering(other);
}
