import type * as z from 'zod/mini';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { DowngradedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import { bodyLimit } from '../../limits.ts';
import type { HttpResponse, RequestPurpose } from '../../ports.ts';
import { isSuccess } from '../wire/http-fetch.ts';
import { readJsonDocument, readMessage } from '../wire/json-document.ts';
import { legacyVersion } from '../wire/mcp-request.ts';
import { unusableMembers } from '../wire/messages.ts';
import { parseRetryAfter } from '../wire/response-headers.ts';
import { noMcp } from './discovery.ts';
import type { DiscoveryContext, DiscoveryStep } from './discovery.ts';

/** What came of one well-known form. `missing` leaves the next form its turn in silence, `unusable` says why. */
export type MetadataAttempt<Result> =
  | {
      readonly kind: 'found';
      readonly result: Result;
      readonly url: CheckedAddress;
      /** Members and entries that could not be used (`unusableMembers`). */
      readonly passedOver: readonly string[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly error: PosternError };

export interface MetadataDocument<Schema extends z.ZodMiniType, Result> {
  readonly step: DiscoveryStep['step'];
  readonly purpose: RequestPurpose;
  readonly url: CheckedAddress;
  readonly schema: Schema;
  /** The error where the server has a fault of its own or asks to wait (5xx, 429). */
  readonly unavailable: (answer: UnavailableAnswer) => PosternError;
  /** The rules that the content has to meet. Errors: PosternError. */
  readonly accept: (document: z.infer<Schema>) => Result | Promise<Result>;
  /** The members that are read, and what is left of them. */
  readonly members: readonly string[];
  readonly accepted: (result: Result) => Readonly<Record<string, unknown>>;
}

/** An answer that says nothing of what is published. */
export interface UnavailableAnswer {
  /** Of the publisher, with its port. */
  readonly host: string;
  readonly status: number;
  /** Seconds that it asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** A document speaks for another server or issuer than the one it was asked of: RESOURCE_MISMATCH, ISSUER_MISMATCH. */
export class ForeignDocument extends PosternError {}

/**
 * A document names an address that it may not, whatever is wrong with that: it is of no use, and the next one is asked
 * for. What is asked must not tell one refusal from another.
 */
export class RefusedMember extends PosternError {}

/**
 * Whether an error has to end discovery: an attack, a person's decision or a fault of ours is never turned into "there
 * is no metadata" (as a PosternError it may be skipped for another authorization server). A host
 * that cannot be reached ends it like one that must not be: whoever named the host and serves its name would learn from
 * further look-ups or requests which of the two it was, and so what names lead inside this network.
 */
export function isStop(error: unknown): boolean {
  if (!isOutcome(error) || error instanceof ForeignDocument || error instanceof DowngradedAddress) return true;
  return isAbout(error, 'forbidden-host') || isUnreached(error);
}

/**
 * Whether a text that was refused as an address is one of the web all the same, such as one with a port that nobody may
 * ask. It then ends discovery as a blocked host does: what is asked next must not tell the two apart.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:$/u.test(URL.parse(text)?.protocol ?? '');
}

/** With nothing sent: the name led nowhere or inside, nobody listened, or TLS did not come about. */
function isUnreached(error: unknown): error is UnsentRequest {
  if (!(error instanceof UnsentRequest)) return false;
  return isAbout(error, 'forbidden-host') || (isAbout(error, 'unanswered') && !isAbout(error, 'timeout'));
}

/** What of a document its request needs. */
export type MetadataRequest = Pick<MetadataDocument<z.ZodMiniType, unknown>, 'purpose' | 'url'>;

/** The request alone. Errors: those of `Http.exchange`. */
export function requestMetadata(context: DiscoveryContext, { purpose, url }: MetadataRequest): Promise<HttpResponse> {
  return context.http.exchange({
    purpose,
    stage: 'discovery',
    method: 'GET',
    url,
    // MCP 2025-03-26, authorization 2.3: the version SHOULD go with the metadata request.
    headers: { accept: 'application/json', 'mcp-protocol-version': legacyVersion },
    policy: context.policy,
    redirects: 'same-origin',
    deadline: context.remaining(),
    bodyLimit: bodyLimit.metadata,
    signal: context.signal,
    onWait: context.waiterAt(url),
  });
}

/**
 * One metadata request, read and checked. What a server can do wrong becomes an attempt; mismatch, downgrade, a host
 * that is blocked or cannot be reached, and cancellation are thrown.
 */
export async function fetchMetadataDocument<Schema extends z.ZodMiniType, Result>(
  context: DiscoveryContext,
  options: MetadataDocument<Schema, Result>,
): Promise<MetadataAttempt<Result>> {
  const { step, url } = options;
  context.begin(step, url);
  let status: number | undefined;
  const report = (outcome: DiscoveryStep['outcome'], code?: ErrorCode, passedOver: readonly string[] = []) =>
    context.report({
      step,
      url,
      outcome,
      ...(status !== undefined && { status }),
      ...(code && { code }),
      ...(passedOver.length > 0 && { passedOver }),
    });
  const { host } = new URL(url);
  try {
    const known = context.unreached.get(host);
    if (known !== undefined) throw known;
    const response = await (context.early.get(url) ?? requestMetadata(context, options));
    status = response.status;
    if (!isSuccess(status)) {
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'), context.clock.now());
      if (!isPlainRefusal(status)) throw options.unavailable({ host, status, retryAfter });
      report('not-found');
      return { kind: 'missing' };
    }
    const published = readJsonDocument(response, { stage: 'discovery' });
    const result = await options.accept(readMessage(options.schema, published, 'discovery'));
    const passedOver = unusableMembers(published, options.accepted(result), options.members);
    report('found', undefined, passedOver);
    return { kind: 'found', result, url, passedOver };
  } catch (error) {
    if (error instanceof PosternError) report('failed', error.code);
    if (isUnreached(error)) context.unreached.set(host, error);
    if (isStop(error) && !(error instanceof RefusedMember)) throw error;
    return { kind: 'unusable', error: nameHost(error as PosternError, url) };
  }
}

/** What is wrong with a document is told of the host that it was asked of, unless the fault lies at another one. */
function nameHost(error: PosternError, url: CheckedAddress): PosternError {
  return error.with({ detail: { host: new URL(url).host, ...error.detail } });
}

/** The server itself has a fault, or asks to wait, and may publish all that it should. */
export function serverUnavailable(
  { clock }: Pick<DiscoveryContext, 'clock'>,
  { retryAfter, ...answer }: UnavailableAnswer,
): PosternError {
  const retryAt = retryAfter === undefined ? undefined : Math.trunc(clock.now()) + retryAfter * 1_000;
  return noMcp('discovery', { ...answer, retryAt });
}

/** A server that keeps everything behind sign-in answers 401 or 403 for its well-known addresses too. */
function isPlainRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && status !== 408 && status !== 425 && status !== 429;
}
