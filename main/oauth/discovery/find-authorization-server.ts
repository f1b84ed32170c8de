import { isOutcome } from '../../cancellation.ts';
import type { PosternError } from '../../postern-error.ts';
import { fetchAuthorizationServerMetadata, ForeignIssuer } from './authorization-server-metadata.ts';
import type { AcceptedMetadata, AskedIssuer, ServerMetadataAttempt } from './authorization-server-metadata.ts';
import { limitContext } from './discovery-context.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { metadataEndpoints } from '../wire/messages.ts';
import type { ProtectedResourceMetadata } from '../wire/messages.ts';
import type { MetadataAttempt } from './metadata-document.ts';

export interface FoundServer extends AcceptedMetadata {
  readonly asked: AskedIssuer;
  /** Servers before it in the list that did not work. */
  readonly skipped: number;
  /** Named by nothing but a copy of its metadata at the server's own origin. */
  readonly byCopy?: true;
}

/** Whom to ask, in order: those that the resource names, else the server's own origin (MCP 2025-03-26 and the spec). */
export function authorizationServerCandidates(
  serverUrl: URL,
  resourceMetadata: ProtectedResourceMetadata | undefined,
  pinned: string | undefined,
): readonly AskedIssuer[] {
  const named = [...new Set(resourceMetadata?.authorization_servers)];
  if (named.length === 0) return [{ issuer: serverUrl.origin, isNamed: false }];
  const chosen = named.filter((issuer) => issuer === pinned);
  return (chosen.length > 0 ? chosen : named).map((issuer) => ({ issuer, isNamed: true }));
}

/**
 * The first candidate that works (RFC 9728 section 7.6), one after the other, each with its share of the time.
 * When none does: what the first refused one was refused for is thrown, else the first failure is told.
 */
export async function findAuthorizationServer(
  context: DiscoveryContext,
  candidates: readonly AskedIssuer[],
): Promise<MetadataAttempt<FoundServer>> {
  let refused: PosternError | undefined;
  let failure: PosternError | undefined;
  for (const [index, asked] of candidates.entries()) {
    try {
      const attempt = await fetchAuthorizationServerMetadata(shareTime(context, candidates.length - index), asked);
      if (attempt.kind === 'found') return { ...attempt, result: { ...attempt.result, asked, skipped: index } };
      if (attempt.kind === 'unusable') failure ??= attempt.error;
    } catch (error) {
      if (!isOutcome(error)) throw error;
      const copied = error instanceof ForeignIssuer ? await readAtForeignIssuer(context, error) : undefined;
      if (copied)
        return { ...copied.found, result: { ...copied.found.result, asked: copied.asked, skipped: 0, byCopy: true } };
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return failure === undefined ? { kind: 'missing' } : { kind: 'unusable', error: failure };
}

function shareTime(context: DiscoveryContext, servers: number): DiscoveryContext {
  return servers === 1 ? context : limitContext(context, Math.ceil(context.remaining() / servers));
}

type Found = Extract<ServerMetadataAttempt, { readonly kind: 'found' }>;

/**
 * What a foreign issuer says of itself, where a server without resource metadata publishes that issuer's metadata at its
 * own origin, as servers of MCP 2025-03-26 do whose sign-in is a hosted service. Used only where each address of the
 * server's copy is the issuer's own: it is then what resource metadata that names the issuer would have led to, under
 * the same rules (RFC 9728 section 7.6, RFC 8414 section 3.3). `undefined`: it is not.
 * Errors: as `fetchAuthorizationServerMetadata`.
 */
async function readAtForeignIssuer(
  context: DiscoveryContext,
  { published }: ForeignIssuer,
): Promise<{ readonly asked: AskedIssuer; readonly found: Found } | undefined> {
  const asked: AskedIssuer = { issuer: published.issuer, isNamed: true };
  const found = await fetchAuthorizationServerMetadata(context, asked);
  if (found.kind !== 'found' || found.result.issuerFallback !== undefined) return undefined;
  const { metadata } = found.result;
  const isCopy = metadataEndpoints.every(
    (name) => published[name] === undefined || URL.parse(published[name])?.href === metadata[name],
  );
  return isCopy ? { asked, found } : undefined;
}
