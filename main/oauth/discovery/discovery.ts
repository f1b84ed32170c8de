import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { afterNoMcp } from '../../../shared/error-catalogue/connection-errors.ts';
import type { AnswerKind, WrongAnswerKind } from '../../../shared/error-catalogue/connection-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import type { IssuerKey, WireEra } from '../../../shared/integration.ts';
import type { AuthenticationMethod } from '../../../shared/oauth.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { deadline } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../wire/messages.ts';
import type { TokenChallenge } from '../wire/response-headers.ts';

/** Endpoints that a person typed, for a service that publishes none or the wrong ones. */
interface TypedEndpoints {
  readonly authorization: string;
  readonly token: string;
}

/** All that one discovery learned: the snapshot that a sign-in works with. Plain data, without a secret. */
export interface Discovery {
  /** The server's. */
  readonly url: CheckedAddress;
  readonly method: AuthenticationMethod;
  /** Why there is no authorization server metadata; with `NoAuth` only. */
  readonly reason?: ErrorCode;
  /** The same as an error that can be told. */
  readonly unread?: PosternError;
  readonly probeStatus?: number;
  /** The status with which the server asked for authorization, in answer to the probe or for its tools. */
  readonly refusedStatus?: number;
  /** What kind of thing answered the probe; absent where it only asked for authorization. */
  readonly answer?: AnswerKind;
  /** The wire that the server showed to the probe. */
  readonly era?: WireEra;
  readonly challenge?: TokenChallenge;
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly resourceMetadataUrl?: CheckedAddress;
  /** RFC 8707 resource indicator: the published string, verbatim. Absent where nothing is published. */
  readonly resource?: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly metadataUrl?: CheckedAddress;
  /** The issuer that was asked for. */
  readonly authorizationServer?: string;
  /**
   * What secrets are kept under (`issuerKeyFor`): the issuer that the metadata names, or a typed token endpoint. `iss`
   * is compared with the metadata's own.
   */
  readonly issuerKey?: IssuerKey;
  readonly issuerFallback?: IssuerFallback;
  /** The other authorization servers that the resource names. */
  readonly alternatives: readonly string[];
  /** The default endpoints of MCP 2025-03-26 are used. */
  readonly legacyEndpoints: boolean;
  /** What was tolerated, by name. */
  readonly notes: readonly CompatibilityNote[];
  /** What of its documents could not be used: members, and entries of lists. Absent: nothing. */
  readonly passedOver?: readonly PassedOver[];
}

export interface PassedOver {
  readonly document: 'resource-metadata' | 'authorization-server-metadata';
  /** As `unusableMembers` names it. */
  readonly member: string;
}

export interface DiscoveryPorts {
  readonly http: Http;
  readonly clock: Clock;
}

export interface DiscoveryOptions extends DiscoveryContextOptions {
  /** From a 401 or 403 that came later: takes the place of the probe. */
  readonly challenge?: TokenChallenge | undefined;
  readonly typedCredentials?: boolean | undefined;
  readonly clientMetadataUrl?: string | undefined;
  /** The person wants the default endpoints of MCP 2025-03-26 where nothing is published. */
  readonly legacyEndpoints?: boolean | undefined;
  /** Pinned, or chosen among several; another one is used only when the resource no longer names it. */
  readonly authorizationServer?: string | undefined;
  /** The address is that of an issuer, which signs in for MCP servers elsewhere. */
  readonly isIssuer?: boolean | undefined;
  /** Typed by the person; they take the place of the published ones. */
  readonly endpoints?: TypedEndpoints | undefined;
}

/** One thing that discovery does, as the trace and the window show it. */
export interface DiscoveryStep {
  readonly step: 'probe' | 'tools-probe' | 'resource-metadata' | 'authorization-server-metadata' | 'method';
  readonly url?: string;
  readonly status?: number;
  /** `waiting`: its request has not left, since this host has been sent many. */
  readonly outcome: 'waiting' | 'started' | 'found' | 'not-found' | 'failed';
  readonly code?: ErrorCode;
  /** What of the document could not be used (`unusableMembers`). */
  readonly passedOver?: readonly string[];
}

/** What every request of one discovery shares. */
export interface DiscoveryContext {
  readonly http: Http;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly address: CheckedAddress;
  /** `address`, to be read. */
  readonly serverUrl: URL;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that it has taken, without those in which a request waited for its turn. */
  elapsed(): number;
  /** Milliseconds that are left. Errors: DEADLINE, when none are. */
  remaining(): number;
  /** For the request at `url`: `HttpRequest.onWait`. */
  waiterAt(url: string): () => () => void;
  /** Reports that a step has begun at `url`, and each time that it waits or no longer does. */
  begin(step: DiscoveryStep['step'], url: string): void;
  report(step: DiscoveryStep): void;
  /** Metadata that was asked for before it was known whether it is needed, by address. */
  readonly early: ReadonlyMap<string, Promise<HttpResponse>>;
  /** Why a host (with its port) could not be reached: it is neither asked nor looked up again. */
  readonly unreached: Map<string, PosternError>;
  /** Look-ups of hosts that documents name, by name: each is looked up once. */
  readonly located: Map<string, Promise<void>>;
}

export interface DiscoveryContextOptions {
  readonly url: CheckedAddress;
  readonly policy: AddressPolicy;
  readonly onStep?: ((step: DiscoveryStep) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts the time of one discovery. */
export function createDiscoveryContext(
  ports: { readonly http: Http; readonly clock: Clock },
  options: DiscoveryContextOptions,
): DiscoveryContext {
  const { elapsed, pause } = startStopwatch(ports.clock);
  const report = options.onStep ?? (() => {});
  /** The last step at each address, and where the request for it waits. */
  const begun = new Map<string, DiscoveryStep['step']>();
  const waiting = new Set<string>();
  const tell = (url: string): void => {
    const step = begun.get(url);
    if (step !== undefined) report({ step, url, outcome: waiting.has(url) ? 'waiting' : 'started' });
  };
  return {
    http: ports.http,
    clock: ports.clock,
    policy: options.policy,
    address: options.url,
    serverUrl: new URL(options.url),
    signal: options.signal,
    elapsed,
    remaining: startBudget(elapsed, deadline.discovery),
    waiterAt: (url) => () => {
      const goOn = pause();
      waiting.add(url);
      tell(url);
      return () => {
        goOn();
        waiting.delete(url);
        tell(url);
      };
    },
    begin: (step, url) => {
      begun.set(url, step);
      tell(url);
    },
    report,
    early: new Map(),
    unreached: new Map(),
    located: new Map(),
  };
}

/** The same discovery with at most `milliseconds` from now, so that one slow server leaves time for the next. */
export function limitContext(context: DiscoveryContext, milliseconds: number): DiscoveryContext {
  const own = startBudget(context.elapsed, milliseconds);
  return { ...context, remaining: () => Math.min(own(), context.remaining()) };
}

/** Stands still while anybody who paused it has not gone on. */
function startStopwatch({ monotonic }: Clock): { elapsed(): number; pause(): () => void } {
  let started = monotonic();
  let pauses = 0;
  let pausedAt = 0;
  return {
    elapsed: () => (pauses > 0 ? pausedAt : monotonic()) - started,
    pause() {
      if (pauses === 0) pausedAt = monotonic();
      pauses += 1;
      return () => {
        pauses -= 1;
        if (pauses === 0) started += monotonic() - pausedAt;
      };
    },
  };
}

function startBudget(elapsed: () => number, milliseconds: number): () => number {
  const end = elapsed() + milliseconds;
  return () => {
    const left = Math.floor(end - elapsed());
    if (left <= 0) throw new PosternError('DEADLINE', { stage: 'discovery' });
    return left;
  };
}

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Where a sign-in on another device begins (RFC 8628 section 4), with a service that offers it. Where it lists no grant
 * types, its naming the address is enough: Microsoft's lists none.
 */
export function deviceEndpoint(metadata: AuthorizationServerMetadata | undefined): CheckedAddress | undefined {
  const { device_authorization_endpoint: endpoint, grant_types_supported: grants = [] } = metadata ?? {};
  return grants.length === 0 || grants.includes(deviceGrant) ? endpoint : undefined;
}

/** Errors: DEVICE_UNSUPPORTED, before anything is registered or asked. */
export function requireDeviceEndpoint({ metadata }: Pick<Discovery, 'metadata'>): CheckedAddress {
  const endpoint = deviceEndpoint(metadata);
  if (endpoint !== undefined) return endpoint;
  const host = URL.parse(metadata?.authorization_endpoint ?? '')?.host ?? '';
  throw new PosternError('DEVICE_UNSUPPORTED', { stage: 'discovery', detail: { host } });
}

/**
 * Whether a published `resource` is the server at `serverUrl`: same origin, and its path a prefix, by segments, of
 * the server's (RFC 9728 section 3.3 wants equality; servers publish their origin or a parent path, and no other
 * server can be meant by it). A terminating slash does not count; a query has to be the same. Not an address,
 * user info, fragment: no match.
 */
export function matchesResource(resource: URL, serverUrl: URL): boolean {
  if (resource.origin !== serverUrl.origin) return false;
  if (resource.username !== '' || resource.password !== '' || resource.hash !== '') return false;
  if (resource.search !== '' && resource.search !== serverUrl.search) return false;
  const server = segments(serverUrl);
  return segments(resource).every((segment, index) => segment === server[index]);
}

function segments(url: URL): string[] {
  const path = url.pathname.replace(/\/$/, '');
  return path === '' ? [] : path.slice(1).split('/');
}

/**
 * Statuses below 500 after which the same question may have another answer (RFC 9110 section 15.5, RFC 8470, RFC 6585).
 */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

interface OtherAnswer {
  readonly host?: string;
  readonly status: number;
  readonly kind?: AnswerKind | WrongAnswerKind | undefined;
  /** Of the server, where that is what is wrong. */
  readonly revision?: string | undefined;
  /** When the server wants to be asked again, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
}

/** The server has a fault of its own, or asks to wait: whatever is asked of it now fares alike. */
export class ServerOutage extends PosternError {
  override with(more: Partial<PosternErrorOptions>): ServerOutage {
    return new ServerOutage(this.code, super.with(more).options);
  }
}

/** A proxy in front of the server says that it is down or full (RFC 9110 sections 15.6.3 to 15.6.5). */
export class UnreachedServer extends ServerOutage {
  override with(more: Partial<PosternErrorOptions>): UnreachedServer {
    return new UnreachedServer(this.code, super.with(more).options);
  }
}

const unreached: ReadonlySet<number> = new Set([502, 503, 504]);
/** What stands between says that the network wants a sign-in first (RFC 6585 section 6). */
const networkSignIn = 511;

/** MCP_FAILED for an answer that is not MCP. */
export function noMcp(stage: Stage, { host, status, kind, revision, retryAt }: OtherAnswer): PosternError {
  const mayPass = status >= 500 || passing.has(status);
  const Kind = unreached.has(status) ? UnreachedServer : mayPass ? ServerOutage : PosternError;
  return new Kind('MCP_FAILED', {
    stage,
    detail: dropUndefined({ host, status, kind, revision, retryAt }),
    remedy: afterNoMcp(status, retryAt, kind),
    retryable: mayPass,
    ...(status === networkSignIn && { blame: 'network' }),
  });
}
