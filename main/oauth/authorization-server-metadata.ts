import type { ErrorCode } from '../../shared/error-codes.ts';
import { checkAddress, checkDowngrade } from '../address/check-address.ts';
import { displayPlace } from '../address/display-place.ts';
import { parseAddress } from '../address/parse-address.ts';
import { PosternError } from '../postern-error.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { compareIssuer, isIssuerOfOrigin } from './issuer.ts';
import type { IssuerFallback } from './issuer-key.ts';
import { authorizationServerMetadataSchema, metadataEndpoints } from './messages.ts';
import type { AuthorizationServerMetadata } from './messages.ts';
import { fetchMetadataDocument } from './metadata-document.ts';
import type { MetadataAttempt } from './metadata-document.ts';

/** An authorization server as it was named, or the server's own origin where nobody named one. */
export interface AskedIssuer {
  readonly issuer: string;
  readonly isNamed: boolean;
}

export interface AcceptedMetadata {
  readonly metadata: AuthorizationServerMetadata;
  /** By which exception the issuer was accepted; absent when it is identical. */
  readonly issuerFallback?: IssuerFallback;
}

export type ServerMetadataAttempt = MetadataAttempt<AcceptedMetadata>;

/**
 * Authorization server metadata (RFC 8414 and OpenID Connect Discovery 1.0), at its forms in order. A form that
 * answers anything but a usable document gives way to the next; of several failures the first is told.
 * Errors: ISSUER_MISMATCH, URL_DOWNGRADE, HOST_BLOCKED, DNS_REBIND.
 */
export async function fetchAuthorizationServerMetadata(
  context: DiscoveryContext,
  asked: AskedIssuer,
): Promise<ServerMetadataAttempt> {
  let issuer: URL;
  try {
    issuer = checkIssuerUrl(context, asked.issuer);
  } catch (error) {
    if (!(error instanceof PosternError) || !isFormFault(error.code)) throw error;
    return { kind: 'unusable', error };
  }
  let failure: PosternError | undefined;
  for (const url of authorizationServerMetadataUrls(issuer)) {
    const attempt = await fetchServerMetadataAt(context, url, asked);
    if (attempt.kind === 'found') return attempt;
    if (attempt.kind === 'unusable') failure ??= attempt.error;
  }
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

/**
 * RFC 8414 section 3.1 and 5: path inserted, path inserted with the OpenID suffix, path before the OpenID suffix.
 * An issuer without a path has only two, and a path is never dropped: the root may be another tenant's.
 */
export function authorizationServerMetadataUrls(issuer: URL): string[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const forms = [
    `${issuer.origin}/.well-known/oauth-authorization-server${path}`,
    `${issuer.origin}/.well-known/openid-configuration${path}`,
  ];
  return path === '' ? forms : [...forms, `${issuer.origin}${path}/.well-known/openid-configuration`];
}

/** One form, for the issuer that it was asked for. Errors: as `fetchAuthorizationServerMetadata`. */
export function fetchServerMetadataAt(
  context: DiscoveryContext,
  url: string,
  asked: AskedIssuer,
): Promise<ServerMetadataAttempt> {
  return fetchMetadataDocument(context, {
    step: 'authorization-server-metadata',
    purpose: 'authorization-server-metadata',
    url,
    schema: authorizationServerMetadataSchema,
    missing: asked.isNamed ? 'ASM_UNAVAILABLE' : 'ASM_MISSING',
    accept(metadata) {
      const issuerFallback = checkIssuer(asked, metadata);
      for (const name of metadataEndpoints) {
        const endpoint = metadata[name];
        if (endpoint !== undefined) checkEndpoint(context, new URL(url), endpoint);
      }
      return { metadata, ...(issuerFallback && { issuerFallback }) };
    },
  });
}

function checkIssuer(asked: AskedIssuer, metadata: AuthorizationServerMetadata): IssuerFallback | undefined {
  const comparison = compareIssuer(asked.issuer, metadata.issuer, metadata);
  if (comparison === 'identical') return undefined;
  if (comparison !== 'mismatch') return comparison;
  if (!asked.isNamed && isIssuerOfOrigin(metadata.issuer, asked.issuer)) return 'origin';
  const host = displayPlace(new URL(asked.issuer));
  throw new PosternError('ISSUER_MISMATCH', {
    stage: 'discovery',
    detail: { host, ...(asked.isNamed && { named: 1 }) },
  });
}

/** What we may later open in a browser or send a secret to (MCP security best practices, URL validation). */
function checkEndpoint(context: DiscoveryContext, from: URL, endpoint: string): void {
  const url = parseAddress(endpoint, 'discovery');
  checkDowngrade(from, url, 'discovery');
  checkAddress(url, context.policy, 'discovery');
}

function checkIssuerUrl(context: DiscoveryContext, text: string): URL {
  const url = parseAddress(text, 'discovery');
  // RFC 8414 section 2: an issuer has neither query nor fragment.
  if (url.search !== '' || text.includes('?')) throw new PosternError('URL_FRAGMENT', { stage: 'discovery' });
  checkDowngrade(context.serverUrl, url, 'discovery');
  checkAddress(url, context.policy, 'discovery');
  return url;
}

/** The text is no address that anybody could mean, rather than one that must not be contacted. */
function isFormFault(code: ErrorCode): boolean {
  return code.startsWith('URL_') && code !== 'URL_DOWNGRADE';
}
