import type * as Electron from 'electron';
import { notEmulated } from './not-emulated.ts';

/** One proxy for every URL, from `setProxy`. */
export interface SessionProxy {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Chromium's bypass rules in addition to its built-in ones. */
  readonly bypass: readonly string[];
}

/** Reads the options of `setProxy`; throws for anything but one proxy for all URLs. */
export function readProxyConfig(config: Electron.ProxyConfig): SessionProxy {
  const { mode = 'fixed_servers', proxyRules = '', proxyBypassRules = '', ...rest } = config;
  const [, scheme, host, port] = /^(https?|socks[45]):\/\/([\w.-]+):(\d+)$/u.exec(proxyRules) ?? [];
  if (mode !== 'fixed_servers' || Object.keys(rest).length > 0 || scheme === undefined || host === undefined)
    return notEmulated(`setProxy with ${JSON.stringify(config)}`);
  const bypass = proxyBypassRules.split(/[,;]/u).filter((rule) => rule !== '');
  return { scheme, host, port: Number(port), bypass };
}

/** The proxy as Chromium's `resolveProxy` formats it. */
export function describeProxy({ scheme, host, port, bypass }: SessionProxy): string {
  if (bypass.join() !== '<-loopback>') notEmulated('resolveProxy with rules for what goes around the proxy');
  const word = scheme === 'http' ? 'PROXY' : scheme === 'socks4' ? 'SOCKS' : scheme.toUpperCase();
  return `${word} ${host}:${port}`;
}
