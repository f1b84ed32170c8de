import { PosternError } from '../../errors/postern-error.ts';
import { discoveryRate } from '../../limits.ts';
import type { Clock, Http, HttpRequest, RequestPurpose } from '../../ports.ts';
import type { createHttp } from './http.ts';
import type { ChooseProxy } from './pinned-connector.ts';
import { chooseProxy, readProxySettings } from './proxy-settings.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { TrustedCertificates } from './trusted-certificates.ts';

interface OpenHttpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** A packaged program takes no certificates from its environment. */
  readonly packaged: boolean;
  /** The additional certificate file of the settings; asked before each new connection that checks certificates. */
  readonly certificateFile: () => Promise<string | undefined>;
  /** The system's own proxy setting where the program can ask for it (see `readPacAnswer`); else the environment's. */
  readonly systemProxy?: ChooseProxy;
}

/** The network of one run of the program. */
export interface OpenHttp {
  readonly http: Http;
  readonly proxies: ProxySettings;
  /** Read at the first connection that needs them, and again once the setting names another file. */
  certificates(): Promise<TrustedCertificates>;
  close(): Promise<void>;
}

/**
 * The one HTTP client as a running program has it: with the certificates of the system and of the person, through the
 * proxy where there is one, and with a bound on what discovery may send.
 */
export function openHttp({ env, clock, packaged, certificateFile, systemProxy }: OpenHttpOptions): OpenHttp {
  const proxies = readProxySettings(env);
  let trusted: { readonly file: string | undefined; readonly read: Promise<TrustedCertificates> } | undefined;
  const certificates = async (): Promise<TrustedCertificates> => {
    // Settings that cannot be read are reported elsewhere; the authorities of the system still hold.
    const file = await certificateFile().catch(() => undefined);
    if (trusted?.file !== file || trusted === undefined) {
      const read = import('./trusted-certificates.ts').then(({ readTrustedCertificates }) =>
        readTrustedCertificates({ env, packaged, file }),
      );
      trusted = { file, read };
    }
    return await trusted.read;
  };
  // Loaded at the first request: undici is half of what a command loads, and stored access often needs none of it.
  let client: Promise<ReturnType<typeof createHttp>> | undefined;
  const opened = () =>
    (client ??= import('./http.ts').then((loaded) =>
      loaded.createHttp({
        ca: async () => (await certificates()).certificates,
        proxyFor: systemProxy ?? (async (target) => chooseProxy(proxies, target)),
      }),
    ));
  const http: Http = {
    exchange: async (request) => (await opened()).exchange(request),
    stream: async (request) => (await opened()).stream(request),
    locate: async (request) => (await opened()).locate(request),
  };
  return { http: limitDiscoveries(http, clock), proxies, certificates, close: async () => (await client)?.close() };
}

/** Requests that a stranger's document can make us send. */
const limited: ReadonlySet<RequestPurpose> = new Set([
  'probe',
  'protected-resource-metadata',
  'authorization-server-metadata',
  'registration',
]);

type Limitable = Omit<HttpRequest, 'bodyLimit' | 'redirects' | 'body'>;

/**
 * The same Http, which cannot be used to flood somebody: of the requests of discovery and registration a few run at one
 * time, and each host gets a bounded number of them. The others wait for their turn, and their deadline begins with it.
 * A stream gives its place up as soon as its headers are there. Errors: as Http; USER_CANCELLED while waiting.
 */
export function limitDiscoveries(http: Http, clock: Clock): Http {
  const rate = new HostRate(discoveryRate);
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Waits for its turn at this host, then for a free place. Errors: USER_CANCELLED. */
  async function enter(request: Limitable): Promise<void> {
    const host = URL.parse(request.url)?.host ?? '';
    let stopWaiting: (() => void) | undefined;
    const wait = (begin: (resolve: () => void) => () => void): Promise<void> => {
      stopWaiting ??= request.onWait?.();
      return patiently(request, begin);
    };
    try {
      for (let pause = rate.take(host, clock.monotonic()); pause > 0; pause = rate.take(host, clock.monotonic()))
        await wait((resolve) => clock.after(pause, resolve));
      if (running < discoveryRate.atOnce) {
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

  /** A place goes straight to the next one, so that nobody can slip in between. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  async function inTurn<Request extends Limitable, Answer>(
    request: Request,
    send: (request: Request) => Promise<Answer>,
  ): Promise<Answer> {
    if (!limited.has(request.purpose)) return await send(request);
    await enter(request);
    try {
      return await send(request);
    } finally {
      leave();
    }
  }

  return {
    exchange: (request) => inTurn(request, http.exchange),
    stream: (request) => inTurn(request, http.stream),
    // Nothing is sent.
    locate: http.locate,
  };
}

/**
 * Waits for what `begin` starts, or until the caller aborts. What `begin` answers cleans up, at once: a place must not
 * be given to somebody who has just left.
 */
async function patiently({ signal, stage }: Limitable, begin: (resolve: () => void) => () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = begin(resolve);
  const onAbort = (): void => {
    const reason: unknown = signal?.reason;
    end();
    reject(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage }));
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    end();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Hands out turns for each host: `burst` at once, then one every `interval` milliseconds. */
class HostRate {
  readonly #limit: { readonly burst: number; readonly interval: number };
  readonly #hosts = new Map<string, { readonly turns: number; readonly at: number }>();

  constructor(limit: { readonly burst: number; readonly interval: number }) {
    this.#limit = limit;
  }

  /** 0: the turn is taken. Else the milliseconds after which to ask again. `now` is monotonic. */
  take(host: string, now: number): number {
    const turns = this.#turnsOf(host, now);
    this.#forgetIdle(now);
    if (turns < 1) return Math.ceil((1 - turns) * this.#limit.interval);
    this.#hosts.set(host, { turns: turns - 1, at: now });
    return 0;
  }

  #turnsOf(host: string, now: number): number {
    const known = this.#hosts.get(host);
    if (known === undefined) return this.#limit.burst;
    return Math.min(this.#limit.burst, known.turns + (now - known.at) / this.#limit.interval);
  }

  /** A host that may take all its turns again is like one never seen. */
  #forgetIdle(now: number): void {
    for (const host of this.#hosts.keys()) {
      if (this.#turnsOf(host, now) >= this.#limit.burst) this.#hosts.delete(host);
    }
  }
}
