import type { Clock, Http } from '../../ports.ts';
import type { createHttp } from './http.ts';
import { limitDiscoveries } from './limit-discoveries.ts';
import type { ChooseProxy } from './pinned-connector.ts';
import { chooseProxy, readProxySettings } from './proxy-settings.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { TrustedCertificates } from './trusted-certificates.ts';

export interface OpenHttpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** A packaged program takes no certificates from its environment. */
  readonly packaged: boolean;
  /** The additional certificate file of the settings; asked when the first certificate has to be checked. */
  readonly certificateFile: () => Promise<string | undefined>;
  /** The system's own proxy setting where the program can ask for it (see `readPacAnswer`); else the environment's. */
  readonly systemProxy?: ChooseProxy;
}

/** The network of one run of the program. */
export interface OpenHttp {
  readonly http: Http;
  readonly proxies: ProxySettings;
  /** Read once, at the first connection that needs it. */
  certificates(): Promise<TrustedCertificates>;
  close(): Promise<void>;
}

/**
 * The one HTTP client as a running program has it: with the certificates of the system and of the person, through the
 * proxy where there is one, and with a bound on what discovery may send.
 */
export function openHttp({ env, clock, packaged, certificateFile, systemProxy }: OpenHttpOptions): OpenHttp {
  const proxies = readProxySettings(env);
  let trusted: Promise<TrustedCertificates> | undefined;
  const certificates = (): Promise<TrustedCertificates> =>
    (trusted ??= certificateFile()
      // Settings that cannot be read are told elsewhere; the authorities of the system still hold.
      .catch(() => undefined)
      .then(async (file) => {
        const { readTrustedCertificates } = await import('./trusted-certificates.ts');
        return readTrustedCertificates({ env, packaged, file });
      }));
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
  };
  return { http: limitDiscoveries(http, clock), proxies, certificates, close: async () => (await client)?.close() };
}
