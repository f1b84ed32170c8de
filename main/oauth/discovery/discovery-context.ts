import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';

/** One thing that discovery does, as the trace and the window show it. */
export interface DiscoveryStep {
  readonly step: 'probe' | 'tools-probe' | 'resource-metadata' | 'authorization-server-metadata' | 'method';
  readonly url?: string;
  readonly status?: number;
  readonly outcome: 'started' | 'found' | 'not-found' | 'failed';
  readonly code?: ErrorCode;
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
  /** Milliseconds that are left. Errors: DEADLINE, when none are. */
  remaining(): number;
  report(step: DiscoveryStep): void;
  /** Metadata that was asked for before it was known whether it is needed, by address. */
  readonly early: ReadonlyMap<string, Promise<HttpResponse>>;
  /** Why a host (with its port) could not be reached: it is neither asked nor looked up again. */
  readonly unreached: Map<string, PosternError>;
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
  return {
    http: ports.http,
    clock: ports.clock,
    policy: options.policy,
    address: options.url,
    serverUrl: new URL(options.url),
    signal: options.signal,
    remaining: startBudget(ports.clock, deadline.discovery),
    report: options.onStep ?? (() => {}),
    early: new Map(),
    unreached: new Map(),
  };
}

/** The same discovery with at most `milliseconds` from now, so that one slow server leaves time for the next. */
export function limitContext(context: DiscoveryContext, milliseconds: number): DiscoveryContext {
  const own = startBudget(context.clock, milliseconds);
  return { ...context, remaining: () => Math.min(own(), context.remaining()) };
}

function startBudget(clock: Clock, milliseconds: number): () => number {
  const end = clock.monotonic() + milliseconds;
  return () => {
    const left = Math.floor(end - clock.monotonic());
    if (left <= 0) throw new PosternError('DEADLINE', { stage: 'discovery', detail: { milliseconds } });
    return left;
  };
}
