import type * as z from 'zod/mini';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import { DowngradedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { bodyLimit } from '../../limits.ts';
import type { HttpResponse } from '../../ports.ts';
import { isSuccess } from '../http/send-request.ts';
import { readJsonDocument, readMessage } from '../http/json-document.ts';
import { latestSessionRevision } from '../http/mcp-request.ts';
import { findUnusableMembers } from '../http/metadata-schemas.ts';
import { parseRetryAfter } from '../http/response-headers.ts';
import { notMcpError } from './discovery.ts';
import type { DiscoveryContext, DiscoveryStep } from './discovery.ts';

/** Result of one well-known URL. `missing`: try the next URL silently; `unusable`: why this one failed. */
export type MetadataAttempt<Result> =
  | {
      readonly kind: 'found';
      readonly result: Result;
      readonly url: CheckedAddress;
      /** Unusable members and entries (`findUnusableMembers`). */
      readonly unusableMembers: readonly string[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly error: PosternError };

interface MetadataDocument<Schema extends z.ZodMiniType, Result> {
  readonly step: DiscoveryStep['step'];
  readonly purpose: RequestPurpose;
  readonly url: CheckedAddress;
  readonly schema: Schema;
  /** The error if the server is failing or asks to wait (5xx, 429). */
  readonly unavailableError: (response: UnavailableResponse) => PosternError;
  /** Validates the content. Errors: PosternError. */
  readonly accept: (document: z.infer<Schema>) => Result | Promise<Result>;
  /** Names of the members that are read, and the accepted values. */
  readonly members: readonly string[];
  readonly accepted: (result: Result) => Readonly<Record<string, unknown>>;
}

/** A response that does not show whether the document is published. */
export interface UnavailableResponse {
  /** Host of the publisher, with port. */
  readonly host: string;
  readonly status: number;
  /** Seconds the server asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** A document is for another server or issuer than requested: RESOURCE_MISMATCH, ISSUER_MISMATCH. */
export class ForeignDocument extends PosternError {}

/**
 * A document names a forbidden address: it is unusable and the next one is requested. Our requests must not reveal the
 * reason for the refusal.
 */
export class RefusedMember extends PosternError {}

/**
 * Whether an error ends discovery: an attack, a user's decision or our own bug must never turn into "there is no
 * metadata" (a PosternError may still skip to another authorization server). An unreachable host ends it like a
 * forbidden one. Otherwise an attacker who named the host and controls its DNS could learn from further lookups or
 * requests which of the two it was, and so map names inside this network.
 */
export function endsDiscovery(error: unknown): boolean {
  if (!isExpectedError(error) || error instanceof ForeignDocument || error instanceof DowngradedAddress) return true;
  return hasTrait(error, 'forbidden-host') || isUnreachable(error);
}

/**
 * Whether a refused address is a web address after all, for example with a forbidden port. It then ends discovery as a
 * blocked host does: another request would reveal which of the two it was.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:$/u.test(URL.parse(text)?.protocol ?? '');
}

/** Nothing was sent: the name did not resolve or resolved to a private address, nothing listened, or TLS failed. */
function isUnreachable(error: unknown): error is UnsentRequest {
  if (!(error instanceof UnsentRequest)) return false;
  return hasTrait(error, 'forbidden-host') || (hasTrait(error, 'unanswered') && !hasTrait(error, 'timeout'));
}

/** The parts of a document needed for its request. */
export type MetadataRequest = Pick<MetadataDocument<z.ZodMiniType, unknown>, 'purpose' | 'url'>;

/** Sends the request. Errors: those of `Http.exchange`. */
export function requestMetadata(context: DiscoveryContext, { purpose, url }: MetadataRequest): Promise<HttpResponse> {
  return context.http.exchange({
    purpose,
    stage: 'discovery',
    method: 'GET',
    url,
    // MCP 2025-03-26, authorization 2.3: the metadata request SHOULD carry the version.
    headers: { accept: 'application/json', 'mcp-protocol-version': latestSessionRevision },
    policy: context.policy,
    redirects: 'same-origin',
    deadline: context.remaining(),
    bodyLimit: bodyLimit.metadata,
    signal: context.signal,
    onWait: context.onWaitAt(url),
  });
}

/**
 * Sends, reads and checks one metadata request. Server mistakes become an attempt; throws for a mismatch, a downgrade,
 * a blocked or unreachable host, and cancellation.
 */
export async function fetchMetadataDocument<Schema extends z.ZodMiniType, Result>(
  context: DiscoveryContext,
  options: MetadataDocument<Schema, Result>,
): Promise<MetadataAttempt<Result>> {
  const { step, url } = options;
  context.begin(step, url);
  let status: number | undefined;
  const report = (outcome: DiscoveryStep['outcome'], code?: ErrorCode, unusableMembers: readonly string[] = []) =>
    context.report({
      step,
      url,
      outcome,
      ...(status !== undefined && { status }),
      ...(code && { code }),
      ...(unusableMembers.length > 0 && { unusableMembers }),
    });
  const { host } = new URL(url);
  try {
    const unreachable = context.unreachableHosts.get(host);
    if (unreachable !== undefined) throw unreachable;
    const response = await (context.prefetched.get(url) ?? requestMetadata(context, options));
    status = response.status;
    if (!isSuccess(status)) {
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'), context.clock.now());
      if (!meansMissing(status)) throw options.unavailableError({ host, status, retryAfter });
      report('not-found');
      return { kind: 'missing' };
    }
    const published = readJsonDocument(response, { stage: 'discovery' });
    const result = await options.accept(readMessage(options.schema, published, 'discovery'));
    const unusableMembers = findUnusableMembers(published, options.accepted(result), options.members);
    report('found', undefined, unusableMembers);
    return { kind: 'found', result, url, unusableMembers };
  } catch (error) {
    if (error instanceof PosternError) report('failed', error.code);
    if (isUnreachable(error)) context.unreachableHosts.set(host, error);
    if (endsDiscovery(error) && !(error instanceof RefusedMember)) throw error;
    return { kind: 'unusable', error: withHost(error as PosternError, url) };
  }
}

/** Attributes a document error to the host it came from, unless another host is at fault. */
function withHost(error: PosternError, url: CheckedAddress): PosternError {
  return error.with({ detail: { host: new URL(url).host, ...error.detail } });
}

/** The MCP server itself is failing or asks to wait; it may still publish metadata later. */
export function serverUnavailableError(
  { clock }: Pick<DiscoveryContext, 'clock'>,
  { retryAfter, ...response }: UnavailableResponse,
): PosternError {
  const retryAt = retryAfter === undefined ? undefined : Math.trunc(clock.now()) + retryAfter * 1_000;
  return notMcpError('discovery', { ...response, retryAt });
}

/** Servers that protect everything return 401 or 403 for their well-known URLs too. */
function meansMissing(status: number): boolean {
  return status >= 400 && status <= 499 && status !== 408 && status !== 425 && status !== 429;
}
