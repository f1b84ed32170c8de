import type { ProxySettings } from './proxy-settings.ts';
import { nameProxy } from './proxy-tunnel.ts';
import { isLinked } from './request-failure.ts';
import type { NetworkInterfaces } from './request-failure.ts';
import type { TrustedCertificates, TrustSource } from './trusted-certificates.ts';

/** What stands between this program and the servers, in words for a person. */
export interface NetworkCheck {
  readonly name: 'network' | 'proxy' | 'certificates' | 'environment';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

export interface NetworkFacts {
  readonly proxies: ProxySettings;
  readonly trusted: TrustedCertificates;
  /** Variables that would weaken every connection and have no effect here, see `ignoredVariables`. */
  readonly ignored: readonly string[];
}

/** Proxy and certificates as they are in use, so that nobody has to guess what a company's network does to them. */
export function checkNetwork({ proxies, trusted, ignored }: NetworkFacts): NetworkCheck[] {
  return [
    checkProxy(proxies),
    checkCertificates(trusted),
    ...ignored.map((name) => ({
      name: 'environment' as const,
      ok: true,
      message: `${name} is set. Postern ignores it: certificates are always checked, and nothing is written for others to decrypt.`,
    })),
  ];
}

function checkProxy({ https, http, unusable }: ProxySettings): NetworkCheck {
  if (unusable.length > 0) {
    return {
      name: 'proxy',
      ok: false,
      message: `${unusable.join(' and ')} names no proxy that Postern can use.`,
      nextStep: 'Set it to the address of an HTTP proxy, such as http://proxy.example.com:8080.',
    };
  }
  const servers = [...new Set([https, http].flatMap((server) => (server ? [nameProxy(server)] : [])))];
  if (servers.length === 0) return { name: 'proxy', ok: true, message: 'No proxy is in use.' };
  return {
    name: 'proxy',
    ok: true,
    message: `A proxy is in use: ${servers.join(', ')}. Some address checks happen at the proxy, not in Postern.`,
  };
}

const sourceNames: Readonly<Record<TrustSource['name'], string>> = {
  'built-in': 'built in',
  system: 'of this system',
  environment: 'from NODE_EXTRA_CA_CERTS',
  file: 'from the file in the settings',
};

function checkCertificates({ sources }: TrustedCertificates): NetworkCheck {
  const counted = sources.map(({ name, count }) => `${count} ${sourceNames[name]}`).join(', ');
  const unusable = sources.find((source) => source.unusable);
  const message = `Certificate authorities: ${counted}.`;
  if (unusable === undefined) return { name: 'certificates', ok: true, message };
  return {
    name: 'certificates',
    ok: false,
    message: `${message} No certificate could be read ${sourceNames[unusable.name]}.`,
    nextStep: 'Check the path; the file has to hold certificates in PEM form.',
  };
}

/**
 * Whether this computer is connected to any network but itself, by its interfaces (`os.networkInterfaces()`). Asks
 * nobody: servers on this computer work without one, so it is no more than a hint.
 */
export function checkLink(interfaces: NetworkInterfaces): NetworkCheck {
  return isLinked(interfaces)
    ? { name: 'network', ok: true, message: 'This computer is connected to a network.' }
    : {
        name: 'network',
        ok: false,
        message: 'This computer is connected to no network. Only servers on it can be reached.',
        nextStep: 'Connect to a network, then try again. Your sign-ins are kept.',
      };
}
