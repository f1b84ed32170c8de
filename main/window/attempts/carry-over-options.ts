import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';

/**
 * The options for `from.url` that also apply to `url`: at the same origin, all of them. Agreed hosts, sign-in
 * endpoints and exceptions do not carry over to another origin. An upgrade of the same host to https carries over more,
 * but nothing that decides where secrets go.
 */
export function carryOverOptions(
  url: string,
  from: { readonly url: string; readonly options: IntegrationOptions },
): Partial<IntegrationOptions> {
  if (url === from.url || isSameOrigin(url, from.url)) return from.options;
  const { pkce, scope, signInSurface, callbackHost, local, legacyEndpoints, sendResource } = from.options;
  const portable = dropUndefined({ pkce, scope, signInSurface, callbackHost });
  return isUpgrade(from.url, url) ? { ...portable, local, legacyEndpoints, sendResource } : portable;
}

/** From http to https on default ports. A different name (such as with `www.`) may have a different owner. */
function isUpgrade(before: string, after: string): boolean {
  const [plain, encrypted] = [URL.parse(before), URL.parse(after)];
  if (plain?.protocol !== 'http:' || encrypted?.protocol !== 'https:') return false;
  return plain.hostname === encrypted.hostname && plain.port === '' && encrypted.port === '';
}

function isSameOrigin(left: string, right: string): boolean {
  const origin = URL.parse(left)?.origin;
  return origin !== undefined && origin === URL.parse(right)?.origin;
}

/** Whether discovery would give the same result with both. */
export function haveSameDiscovery(left: IntegrationOptions, right: IntegrationOptions): boolean {
  const discoveryInputs = (options: IntegrationOptions): string => {
    const { local, allowedHosts, allowHttp, legacyEndpoints, clientMetadataUrl, authorizationServer } = options;
    const { endpoints, grant, isIdentityProvider } = options;
    return JSON.stringify([
      ...[local, allowedHosts, allowHttp, legacyEndpoints, clientMetadataUrl, authorizationServer],
      ...[endpoints, grant, isIdentityProvider],
    ]);
  };
  return discoveryInputs(left) === discoveryInputs(right);
}
