import type { RequestPurpose } from '../../../shared/trace.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { discoveryRate } from '../../limits.ts';
import type { Clock, Http, HttpRequest } from '../../ports.ts';
import type { createHttp } from './http.ts';
import type { ChooseProxy } from './pinned-connector.ts';
import { chooseProxy, readProxySettings } from './proxy-settings.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { TrustedCertificates } from './trusted-certificates.ts';

interface OpenHttpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Packaged builds take no certificates from the environment. */
  readonly packaged: boolean;
  /** The extra certificate file of the settings; called before each new TLS connection. */
  readonly certificateFile: () => Promise<string | undefined>;
  /** The system's proxy setting (see `parsePacResult`). Default: the environment's. */
  readonly systemProxy?: ChooseProxy;
}

/** The network access of one process. */
export interface OpenHttp {
  readonly http: Http;
  readonly proxies: ProxySettings;
  /** Read on first use, and again when the setting names another file. */
  certificates(): Promise<TrustedCertificates>;
  close(): Promise<void>;
}

/** The HTTP client with the system's and the user's certificates, the proxy, and rate limits for discovery. */
export function openHttp({ env, clock, packaged, certificateFile, systemProxy }: OpenHttpOptions): OpenHttp {
  const proxies = readProxySettings(env);
  let trusted: { readonly file: string | undefined; readonly read: Promise<TrustedCertificates> } | undefined;
  const certificates = async (): Promise<TrustedCertificates> => {
    // Unreadable settings are reported elsewhere; the system's authorities still apply.
    const file = await certificateFile().catch(() => undefined);
    if (trusted?.file !== file || trusted === undefined) {
      const read = import('./trusted-certificates.ts').then(({ readTrustedCertificates }) =>
        readTrustedCertificates({ env, packaged, file }),
      );
      trusted = { file, read };
    }
    return await trusted.read;
  };
  // Loaded on the first request: undici is half of what a command loads, and with stored tokens it is often not needed.
  let client: Promise<ReturnType<typeof createHttp>> | undefined;
  const loadClient = () =>
    (client ??= import('./http.ts').then((loaded) =>
      loaded.createHttp({
        ca: async () => (await certificates()).certificates,
        proxyFor: systemProxy ?? (async (target) => chooseProxy(proxies, target)),
      }),
    ));
  const http: Http = {
    exchange: async (request) => (await loadClient()).exchange(request),
    stream: async (request) => (await loadClient()).stream(request),
    resolveHost: async (request) => (await loadClient()).resolveHost(request),
  };
  return { http: limitDiscoveries(http, clock), proxies, certificates, close: async () => (await client)?.close() };
}

/** Requests that an untrusted document can trigger. */
const limitedPurposes: ReadonlySet<RequestPurpose> = new Set([
  'probe',
  'protected-resource-metadata',
  'authorization-server-metadata',
  'registration',
]);

type LimitedRequest = Omit<HttpRequest, 'bodyLimit' | 'redirects' | 'body'>;

/**
 * Limits discovery and registration requests, so that nobody can use us to flood a host: few run concurrently, and each
 * host has a rate limit. The others wait; their deadline starts when they are sent. A stream frees its slot once its
 * headers have arrived. Errors: those of Http; USER_CANCELLED while waiting.
 */
export function limitDiscoveries(http: Http, clock: Clock): Http {
  const rate = new HostRate(discoveryRate);
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Waits for the host's rate limit, then for a free slot. Errors: USER_CANCELLED. */
  async function acquireSlot(request: LimitedRequest): Promise<void> {
    const host = URL.parse(request.url)?.host ?? '';
    let stopWaiting: (() => void) | undefined;
    const wait = (begin: (resolve: () => void) => () => void): Promise<void> => {
      stopWaiting ??= request.onWait?.();
      return waitOrAbort(request, begin);
    };
    try {
      for (let pause = rate.take(host, clock.monotonic()); pause > 0; pause = rate.take(host, clock.monotonic()))
        await wait((resolve) => clock.after(pause, resolve));
      if (running < discoveryRate.concurrent) {
        running += 1;
        return;
      }
      await wait((resolve) => {
        waiting.push(resolve);
        return () => {
          if (waiting.includes(resolve)) waiting.splice(waiting.indexOf(resolve), 1);
        };
      });
    } finally {
      stopWaiting?.();
    }
  }

  /** Hands the slot to the next in line, so that nobody can jump the queue. */
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  async function withSlot<Request extends LimitedRequest, Result>(
    request: Request,
    send: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    if (!limitedPurposes.has(request.purpose)) return await send(request);
    await acquireSlot(request);
    try {
      return await send(request);
    } finally {
      releaseSlot();
    }
  }

  return {
    exchange: (request) => withSlot(request, http.exchange),
    stream: (request) => withSlot(request, http.stream),
    // Nothing is sent.
    resolveHost: http.resolveHost,
  };
}

/**
 * Waits until `begin` calls `resolve`, or the caller aborts. The function that `begin` returns cleans up synchronously:
 * a slot must not go to a request that was just aborted.
 */
async function waitOrAbort(
  { signal, stage }: LimitedRequest,
  begin: (resolve: () => void) => () => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cleanUp = begin(resolve);
  const onAbort = (): void => {
    const reason: unknown = signal?.reason;
    cleanUp();
    reject(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage }));
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    cleanUp();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Token bucket per host: `burst` requests at once, then one every `interval` milliseconds. */
class HostRate {
  readonly #limit: { readonly burst: number; readonly interval: number };
  readonly #hosts = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(limit: { readonly burst: number; readonly interval: number }) {
    this.#limit = limit;
  }

  /** Takes a token and returns 0, or returns the milliseconds to wait before trying again. `now` is monotonic. */
  take(host: string, now: number): number {
    const tokens = this.#tokensOf(host, now);
    this.#forgetIdle(now);
    if (tokens < 1) return Math.ceil((1 - tokens) * this.#limit.interval);
    this.#hosts.set(host, { tokens: tokens - 1, at: now });
    return 0;
  }

  #tokensOf(host: string, now: number): number {
    const known = this.#hosts.get(host);
    if (known === undefined) return this.#limit.burst;
    return Math.min(this.#limit.burst, known.tokens + (now - known.at) / this.#limit.interval);
  }

  /** A host with a full bucket is like one never seen. */
  #forgetIdle(now: number): void {
    for (const host of this.#hosts.keys()) {
      if (this.#tokensOf(host, now) >= this.#limit.burst) this.#hosts.delete(host);
    }
  }
}
