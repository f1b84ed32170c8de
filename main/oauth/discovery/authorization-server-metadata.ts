import { wrongIssuer } from '../../../shared/error-catalogue/discovery-errors.ts';
import { addressFormCodes, isOneOf } from '../../../shared/error-codes.ts';
import { atSameOrigin, checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import type { PosternErrorOptions } from '../../postern-error.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { compareIssuer, isIssuerOfOrigin } from './issuer.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { authorizationServerMetadataSchema } from '../wire/messages.ts';
import type { AuthorizationServerMetadata, metadataEndpoints, PublishedServerMetadata } from '../wire/messages.ts';
import { fetchMetadataDocument, ForeignDocument, isWebAddress } from './metadata-document.ts';
import type { MetadataAttempt } from './metadata-document.ts';

/** An authorization server as it was named, or the server's own origin where nobody named one. */
export interface AskedIssuer {
  readonly issuer: string;
  readonly isNamed: boolean;
}

export interface AcceptedMetadata {
  readonly metadata: AuthorizationServerMetadata;
  /** The exception by which the issuer was accepted; absent when it is identical. */
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
  let issuer: CheckedAddress;
  try {
    issuer = checkIssuerUrl(context, asked.issuer);
  } catch (error) {
    if (!(error instanceof PosternError) || !isOneOf(addressFormCodes, error)) throw error;
    // What is no issuer at all (a query, no address) is a fault of the document.
    if (isWebAddress(asked.issuer) && !/[?#]/u.test(asked.issuer)) throw error;
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

/** A server that names no sign-in service publishes the metadata of one at its own origin. */
export class ForeignIssuer extends ForeignDocument {
  readonly published: PublishedServerMetadata;

  constructor(published: PublishedServerMetadata, options: PosternErrorOptions) {
    super('ISSUER_MISMATCH', options);
    this.published = published;
  }
}

/** Nobody says how the sign-in works: ASM_MISSING. */
export class MissingServerMetadata extends PosternError {
  constructor(options: PosternErrorOptions) {
    super('ASM_MISSING', options);
  }

  override with(more: Partial<PosternErrorOptions>): MissingServerMetadata {
    return new MissingServerMetadata(super.with(more).options);
  }
}

/**
 * RFC 8414 section 3.1 and 5: path inserted, path inserted with the OpenID suffix, path before the OpenID suffix.
 * An issuer without a path has only two, and a path is never dropped: the root may be another tenant's.
 */
export function authorizationServerMetadataUrls(issuer: CheckedAddress): CheckedAddress[] {
  const path = new URL(issuer).pathname.replace(/\/$/, '');
  const first = atSameOrigin(issuer, `/.well-known/oauth-authorization-server${path}`);
  const second = atSameOrigin(issuer, `/.well-known/openid-configuration${path}`);
  if (path === '') return [first, second];
  return [first, second, atSameOrigin(issuer, `${path}/.well-known/openid-configuration`)];
}

/** One form, for the issuer that it was asked for. Errors: as `fetchAuthorizationServerMetadata`. */
export function fetchServerMetadataAt(
  context: DiscoveryContext,
  url: CheckedAddress,
  asked: AskedIssuer,
): Promise<ServerMetadataAttempt> {
  return fetchMetadataDocument(context, {
    step: 'authorization-server-metadata',
    purpose: 'authorization-server-metadata',
    url,
    schema: authorizationServerMetadataSchema,
    missing: (status) =>
      asked.isNamed
        ? new PosternError('ASM_UNAVAILABLE', { stage: 'discovery', detail: { status } })
        : new MissingServerMetadata({ stage: 'discovery', detail: { status } }),
    accept(published) {
      const issuerFallback = checkIssuer(asked, published);
      const metadata = checkEndpoints(context, new URL(url), published);
      return { metadata, ...(issuerFallback && { issuerFallback }) };
    },
  });
}

function checkIssuer(asked: AskedIssuer, metadata: PublishedServerMetadata): IssuerFallback | undefined {
  const comparison = compareIssuer(asked.issuer, metadata.issuer, metadata);
  if (comparison === 'identical') return undefined;
  if (comparison !== 'mismatch') return comparison;
  if (!asked.isNamed && isIssuerOfOrigin(metadata.issuer, asked.issuer)) return 'origin';
  const detail = { host: displayPlace(new URL(asked.issuer)) };
  if (!asked.isNamed) throw new ForeignIssuer(metadata, { stage: 'discovery', detail, remedy: wrongIssuer.ofServer });
  const told = { stage: 'discovery', detail: { ...detail, named: 1 }, remedy: wrongIssuer.ofService } as const;
  throw new ForeignDocument('ISSUER_MISMATCH', told);
}

/** What we may later open in a browser or send a secret to (MCP security best practices, URL validation). */
function checkEndpoints(
  context: DiscoveryContext,
  from: URL,
  {
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
    pushed_authorization_request_endpoint,
    device_authorization_endpoint,
    ...rest
  }: PublishedServerMetadata,
): AuthorizationServerMetadata {
  const check = (member: (typeof metadataEndpoints)[number], endpoint: string): CheckedAddress =>
    checkPublishedAddress(endpoint, { member, publisher: from }, context.policy, 'discovery');
  return {
    ...rest,
    ...(authorization_endpoint !== undefined && {
      authorization_endpoint: check('authorization_endpoint', authorization_endpoint),
    }),
    token_endpoint: check('token_endpoint', token_endpoint),
    ...(registration_endpoint !== undefined && {
      registration_endpoint: check('registration_endpoint', registration_endpoint),
    }),
    ...(revocation_endpoint !== undefined && {
      revocation_endpoint: check('revocation_endpoint', revocation_endpoint),
    }),
    ...(pushed_authorization_request_endpoint !== undefined && {
      pushed_authorization_request_endpoint: check(
        'pushed_authorization_request_endpoint',
        pushed_authorization_request_endpoint,
      ),
    }),
    ...(device_authorization_endpoint !== undefined && {
      device_authorization_endpoint: check('device_authorization_endpoint', device_authorization_endpoint),
    }),
  };
}

function checkIssuerUrl(context: DiscoveryContext, text: string): CheckedAddress {
  const place = { member: 'authorization_servers', publisher: context.serverUrl };
  const issuer = checkPublishedAddress(text, place, context.policy, 'discovery');
  // RFC 8414 section 2: an issuer has neither query nor fragment.
  if (!text.includes('?')) return issuer;
  const detail = { member: place.member, publisher: displayPlace(place.publisher) };
  throw new PosternError('URL_FRAGMENT', { stage: 'discovery', blame: 'document', detail });
}
