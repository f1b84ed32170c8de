import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';

/**
 * What is chosen for one address and holds for another one too: hosts that were agreed to, sign-in addresses and
 * exceptions are a person's word about one server, and say nothing of the next. The same host by https is the same
 * place, better protected: what is said of it holds, but nothing that leads a secret anywhere is taken along.
 */
export function choicesFor(
  url: string,
  wanted: { readonly url: string; readonly options: IntegrationOptions },
): Partial<IntegrationOptions> {
  if (url === wanted.url || isSameOrigin(url, wanted.url)) return wanted.options;
  const { pkce, scope, signInSurface, callbackHost, local, legacyEndpoints, sendResource } = wanted.options;
  const anywhere = dropUndefined({ pkce, scope, signInSurface, callbackHost });
  return isUpgrade(wanted.url, url) ? { ...anywhere, local, legacyEndpoints, sendResource } : anywhere;
}

/** From http to https, each at its default port. Another name, with `www.` for one, may have another owner. */
function isUpgrade(before: string, after: string): boolean {
  const [plain, encrypted] = [URL.parse(before), URL.parse(after)];
  if (plain?.protocol !== 'http:' || encrypted?.protocol !== 'https:') return false;
  return plain.hostname === encrypted.hostname && plain.port === '' && encrypted.port === '';
}

function isSameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}

/** Whether discovery would go the same way with both. */
export function leadToSameVerdict(one: IntegrationOptions, other: IntegrationOptions): boolean {
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
