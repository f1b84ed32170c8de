import * as z from 'zod';
import { remedyFor } from '../../../shared/error-catalogue.ts';
import type { IssuerKey } from '../../../shared/issuer-key.ts';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import { PosternError } from '../../postern-error.ts';
import { clientIdLength, json, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { clientKeySchema } from './client-key.ts';
import type { ClientKey } from './client-key.ts';

/** Who Postern is at one authorization server. Never used at another one (MCP 2026-07-28, server binding). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: Secret;
  /** The key that it proves itself with in place of a secret. Bound to the issuer as the secret is. */
  readonly clientKey?: ClientKey;
  /** As the registration answered, or as learned from a token request that worked. */
  readonly authentication?: ClientAuthenticationMethod;
  /** The server compares Basic credentials without decoding them (against RFC 6749 section 2.3.1); learned. */
  readonly rawBasic?: boolean;
  /** This way of authenticating has worked, or the other one has been tried: no failed request leads to the other. */
  readonly settled?: boolean;
  readonly source: 'typed' | 'registered' | 'metadata-document';
  readonly issuerKey: IssuerKey;
  readonly redirectUri: string;
  /** Wall clock, milliseconds. Absent: the secret does not expire. */
  readonly secretExpiresAt?: number;
  /** The registration answered that its authorization requests have to be pushed (RFC 9126 section 6). */
  readonly pushesRequests?: boolean;
  /** The registration answered that its tokens are bound to a key (RFC 9449 section 5.2). */
  readonly bindsTokens?: boolean;
  /** The authorization server did not accept them any more: a person is asked before they are used again. */
  readonly refused?: boolean;
}

/** With which a client proves who it is; a public client has neither. */
export type ClientProof = Pick<ClientCredentials, 'clientSecret' | 'clientKey'>;

/**
 * The same error with whose mistake it is, where what helps is to check the client: the user's only where they typed it,
 * and not where Postern came by it itself.
 */
export function blameClient<Thrown>(
  error: Thrown,
  { source }: Pick<ClientCredentials, 'source'>,
): Thrown | PosternError {
  if (!(error instanceof PosternError)) return error;
  const { kind } = remedyFor(error.code, 'input', error.remedy);
  if (kind !== 'check-client' && kind !== 'correct-credentials') return error;
  return error.with({ blame: source === 'typed' ? 'input' : 'answer' });
}

/** From a record that holds more. A key comes first. */
export function proofOf({ clientSecret, clientKey }: ClientProof): ClientProof {
  return clientKey ? { clientKey } : { ...(clientSecret && { clientSecret }) };
}

export function hasProof({ clientSecret, clientKey }: ClientProof): boolean {
  return clientSecret !== undefined || clientKey !== undefined;
}

const storedSchema = z.object({
  clientId: z.string().min(1).max(clientIdLength),
  clientSecret: z.string().min(1).max(json.string).optional(),
  clientKey: clientKeySchema.optional(),
  authentication: z.enum(clientAuthenticationMethods).optional(),
  rawBasic: z.boolean().optional(),
  settled: z.boolean().optional(),
  source: z.enum(['typed', 'registered', 'metadata-document']),
  /** The `issuerKey`, which stored records have called `issuer` from the beginning. */
  issuer: z.string().min(1).max(urlLength.received),
  redirectUri: z.string().min(1).max(urlLength.received),
  secretExpiresAt: z.number().int().optional(),
  pushesRequests: z.boolean().optional(),
  bindsTokens: z.boolean().optional(),
  refused: z.boolean().optional(),
});

export type StoredClientCredentials = z.infer<typeof storedSchema>;

/** Plain JSON for a sealed vault record: holds the secret and the private key themselves. */
export function storeClientCredentials(credentials: ClientCredentials): StoredClientCredentials {
  const { clientSecret, clientKey, issuerKey, ...rest } = credentials;
  return {
    ...rest,
    issuer: issuerKey,
    ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    ...(clientKey && { clientKey: clientKey.reveal() }),
  };
}

/** What `storeClientCredentials` made; `undefined` for anything else, since vault records are untrusted. */
export function readClientCredentials(record: unknown): ClientCredentials | undefined {
  const { success, data } = storedSchema.safeParse(record);
  if (!success) return undefined;
  const { clientSecret, clientKey, issuer, ...rest } = dropUndefined(data);
  return {
    ...rest,
    issuerKey: issuer,
    ...(clientSecret !== undefined && { clientSecret: new Secret(clientSecret) }),
    ...(clientKey && { clientKey: new Secret(clientKey) }),
  };
}
