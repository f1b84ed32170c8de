import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { remedyForNonMcp } from '../../../shared/error-catalog/connection-errors.ts';
import type { ResponseKind, WrongResponseKind } from '../../../shared/error-catalog/connection-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import type { IssuerKey, ServerProtocol } from '../../../shared/integration.ts';
import type { AuthenticationMethod } from '../../../shared/oauth.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { PosternErrorOptions } from '../../errors/postern-error.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { deadline } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../http/metadata-schemas.ts';
import type { TokenChallenge } from '../http/response-headers.ts';

/** Endpoints typed by the user, for a service that publishes none or wrong ones. */
interface TypedEndpoints {
  readonly authorization: string;
  readonly token: string;
}

/** Result of one discovery: the snapshot that a sign-in works with. Plain data without secrets. */
export interface Discovery {
  /** Address of the server. */
  readonly url: CheckedAddress;
  readonly method: AuthenticationMethod;
  /** Why there is no authorization server metadata; only with `NoAuth`. */
  readonly reason?: ErrorCode;
  /** `reason` as an error. */
  readonly metadataError?: PosternError;
  readonly probeStatus?: number;
  /** Status with which the server asked for authorization, in response to the probe or to `tools/list`. */
  readonly refusedStatus?: number;
  /** What responded to the probe; absent if it only asked for authorization. */
  readonly responseKind?: ResponseKind;
  /** The protocol form that the server showed to the probe. */
  readonly protocol?: ServerProtocol;
  readonly challenge?: TokenChallenge;
  readonly resourceMetadata?: ProtectedResourceMetadata;
  readonly resourceMetadataUrl?: CheckedAddress;
  /** RFC 8707 resource indicator: the published string, verbatim. Absent if none is published. */
  readonly resource?: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly metadataUrl?: CheckedAddress;
  /** The requested issuer. */
  readonly authorizationServer?: string;
  /**
   * Key that secrets are stored under (`issuerKeyFor`): the issuer in the metadata, or a typed token endpoint. `iss` is
   * compared with the metadata's own issuer.
   */
  readonly issuerKey?: IssuerKey;
  readonly issuerFallback?: IssuerFallback;
  /** The other authorization servers that the resource names. */
  readonly alternatives: readonly string[];
  /** The default endpoints of MCP 2025-03-26 are used. */
  readonly legacyEndpoints: boolean;
  /** Deviations that were tolerated. */
  readonly notes: readonly CompatibilityNote[];
  /** Members and list entries of its documents that could not be used. Absent: none. */
  readonly unusableMembers?: readonly UnusableMember[];
}

export interface UnusableMember {
  readonly document: 'resource-metadata' | 'authorization-server-metadata';
  /** From `findUnusableMembers`. */
  readonly member: string;
}

export interface DiscoveryPorts {
  readonly http: Http;
  readonly clock: Clock;
}

export interface DiscoveryOptions extends DiscoveryContextOptions {
  /** From a later 401 or 403; replaces the probe. */
  readonly challenge?: TokenChallenge | undefined;
  readonly typedCredentials?: boolean | undefined;
  readonly clientMetadataUrl?: string | undefined;
  /** Use the default endpoints of MCP 2025-03-26 if nothing is published: the user chose so. */
  readonly legacyEndpoints?: boolean | undefined;
  /** Pinned, or chosen from several; another one is used only if the resource no longer names it. */
  readonly authorizationServer?: string | undefined;
  /** The address is an issuer that signs in for MCP servers elsewhere. */
  readonly isIssuer?: boolean | undefined;
  /** Typed by the user; they replace the published ones. */
  readonly endpoints?: TypedEndpoints | undefined;
}

/** One step of discovery, for the trace and the window. */
export interface DiscoveryStep {
  readonly step: 'probe' | 'tools-probe' | 'resource-metadata' | 'authorization-server-metadata' | 'method';
  readonly url?: string;
  readonly status?: number;
  /** `waiting`: its request is held back because this host has been sent many. */
  readonly outcome: 'waiting' | 'started' | 'found' | 'not-found' | 'failed';
  readonly code?: ErrorCode;
  /** Unusable parts of the document (`findUnusableMembers`). */
  readonly unusableMembers?: readonly string[];
}

/** State shared by the requests of one discovery. */
export interface DiscoveryContext {
  readonly http: Http;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  readonly address: CheckedAddress;
  /** `address`, parsed. */
  readonly serverUrl: URL;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds spent so far, excluding rate-limit waits. */
  elapsed(): number;
  /** Milliseconds left. Errors: DEADLINE if none are. */
  remaining(): number;
  /** `HttpRequest.onWait` for the request to `url`. */
  onWaitAt(url: string): () => () => void;
  /** Reports that a step has started at `url`, and each change between waiting and running. */
  begin(step: DiscoveryStep['step'], url: string): void;
  report(step: DiscoveryStep): void;
  /** Metadata requested before it was known to be needed, by address. */
  readonly prefetched: ReadonlyMap<string, Promise<HttpResponse>>;
  /** Errors of unreachable hosts (with port): such a host is neither requested nor resolved again. */
  readonly unreachableHosts: Map<string, PosternError>;
  /** DNS lookups of hosts that documents name: one per name. */
  readonly lookups: Map<string, Promise<void>>;
}

export interface DiscoveryContextOptions {
  readonly url: CheckedAddress;
  readonly policy: AddressPolicy;
  readonly onStep?: ((step: DiscoveryStep) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts the clock of one discovery. */
export function createDiscoveryContext(
  ports: { readonly http: Http; readonly clock: Clock },
  options: DiscoveryContextOptions,
): DiscoveryContext {
  const { elapsed, pause } = startStopwatch(ports.clock);
  const report = options.onStep ?? (() => {});
  /** The last step at each address, and the addresses whose request is waiting. */
  const startedSteps = new Map<string, DiscoveryStep['step']>();
  const waiting = new Set<string>();
  const reportProgress = (url: string): void => {
    const step = startedSteps.get(url);
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
    onWaitAt: (url) => () => {
      const resume = pause();
      waiting.add(url);
      reportProgress(url);
      return () => {
        resume();
        waiting.delete(url);
        reportProgress(url);
      };
    },
    begin: (step, url) => {
      startedSteps.set(url, step);
      reportProgress(url);
    },
    report,
    prefetched: new Map(),
    unreachableHosts: new Map(),
    lookups: new Map(),
  };
}

/** The same discovery limited to `milliseconds` from now, so that a slow server leaves time for the next. */
export function limitContext(context: DiscoveryContext, milliseconds: number): DiscoveryContext {
  const ownBudget = startBudget(context.elapsed, milliseconds);
  return { ...context, remaining: () => Math.min(ownBudget(), context.remaining()) };
}

/** Stops while at least one pause is active. */
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
    const remaining = Math.floor(end - elapsed());
    if (remaining <= 0) throw new PosternError('DEADLINE', { stage: 'discovery' });
    return remaining;
  };
}

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The device authorization endpoint (RFC 8628 section 4), if the grant is supported. If no grant types are listed, the
 * endpoint alone is enough: Microsoft lists none.
 */
export function deviceEndpoint(metadata: AuthorizationServerMetadata | undefined): CheckedAddress | undefined {
  const { device_authorization_endpoint: endpoint, grant_types_supported: grants = [] } = metadata ?? {};
  return grants.length === 0 || grants.includes(deviceGrant) ? endpoint : undefined;
}

/** Errors: DEVICE_UNSUPPORTED, before any registration or request. */
export function requireDeviceEndpoint({ metadata }: Pick<Discovery, 'metadata'>): CheckedAddress {
  const endpoint = deviceEndpoint(metadata);
  if (endpoint !== undefined) return endpoint;
  const host = URL.parse(metadata?.authorization_endpoint ?? '')?.host ?? '';
  throw new PosternError('DEVICE_UNSUPPORTED', { stage: 'discovery', detail: { host } });
}

/**
 * Whether a published `resource` covers the server at `serverUrl`: same origin, and its path is a prefix of the
 * server's path, by segment. RFC 9728 section 3.3 wants equality, but servers publish their origin or a parent path,
 * which can mean no other server. A trailing slash does not count; a query has to match. User info or a fragment never
 * matches.
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

/** Temporary statuses below 500 (RFC 9110 section 15.5, RFC 8470, RFC 6585). */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

interface NonMcpResponse {
  readonly host?: string;
  readonly status: number;
  readonly kind?: ResponseKind | WrongResponseKind | undefined;
  /** The server's protocol revision, if that is the problem. */
  readonly revision?: string | undefined;
  /** When the server wants the next request, milliseconds since 1970. */
  readonly retryAt?: number | undefined;
}

/** The server is failing or asks to wait: any other request would fail too. */
export class ServerOutage extends PosternError {
  override with(more: Partial<PosternErrorOptions>): ServerOutage {
    return new ServerOutage(this.code, super.with(more).options);
  }
}

/** A proxy reports that the server is down or overloaded (RFC 9110 sections 15.6.3 to 15.6.5). */
export class UnreachableServer extends ServerOutage {
  override with(more: Partial<PosternErrorOptions>): UnreachableServer {
    return new UnreachableServer(this.code, super.with(more).options);
  }
}

const gatewayOutageStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** The network requires a sign-in first (RFC 6585 section 6). */
const networkSignInStatus = 511;

/** MCP_FAILED for a response that is not MCP. */
export function notMcpError(stage: Stage, { host, status, kind, revision, retryAt }: NonMcpResponse): PosternError {
  const isTemporary = status >= 500 || transientStatuses.has(status);
  const ErrorClass = gatewayOutageStatuses.has(status) ? UnreachableServer : isTemporary ? ServerOutage : PosternError;
  return new ErrorClass('MCP_FAILED', {
    stage,
    detail: dropUndefined({ host, status, kind, revision, retryAt }),
    remedy: remedyForNonMcp(status, retryAt, kind),
    retryable: isTemporary,
    ...(status === networkSignInStatus && { blame: 'network' }),
  });
}
