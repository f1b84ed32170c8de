import type { ProxySettings } from './proxy-settings.ts';
import { displayProxy } from './proxy-tunnel.ts';
import { hasNetworkInterface } from './request-failure.ts';
import type { NetworkInterfaces } from './request-failure.ts';
import type { TrustedCertificates, TrustSource } from './trusted-certificates.ts';

/** A finding about the network between Postern and the servers, for the user. */
export interface NetworkCheck {
  readonly name: 'network' | 'proxy' | 'certificates' | 'environment';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

export interface NetworkFacts {
  readonly proxies: ProxySettings;
  readonly trusted: TrustedCertificates;
  /** Ignored variables that would weaken every connection; see `removeIgnoredVariables`. */
  readonly ignored: readonly string[];
}

/** The proxy and certificates in use, to debug corporate networks. */
export function checkNetwork({ proxies, trusted, ignored }: NetworkFacts): NetworkCheck[] {
  return [
    checkProxy(proxies),
    checkCertificates(trusted),
    ...ignored.map((name) => ({
      name: 'environment' as const,
      ok: true,
      message: `Postern ignores ${name}: certificates are always checked, and TLS keys are never written to a file.`,
    })),
  ];
}

function checkProxy({ https, http, unusable }: ProxySettings): NetworkCheck {
  if (unusable.length > 0) {
    return {
      name: 'proxy',
      ok: false,
      message: `Postern cannot use the proxy in ${unusable.join(' and ')}.`,
      nextStep: 'Set it to the address of an HTTP proxy, such as http://proxy.example.com:8080.',
    };
  }
  const servers = [...new Set([https, http].flatMap((server) => (server ? [displayProxy(server)] : [])))];
  if (servers.length === 0) return { name: 'proxy', ok: true, message: 'No proxy is in use.' };
  return {
    name: 'proxy',
    ok: true,
    message: `A proxy is in use: ${servers.join(', ')}. Some address checks happen at the proxy, not in Postern.`,
  };
}

const sourceNames: Readonly<Record<TrustSource['name'], string>> = {
  'built-in': 'built in',
  system: 'from this system',
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
    nextStep: 'Check the path. The file must contain certificates in PEM format.',
  };
}

/**
 * Whether this computer has a network connection, judging by its interfaces (`os.networkInterfaces()`). Only a hint:
 * nothing is sent, and local servers work without one.
 */
export function checkConnectivity(interfaces: NetworkInterfaces): NetworkCheck {
  return hasNetworkInterface(interfaces)
    ? { name: 'network', ok: true, message: 'This computer is connected to a network.' }
    : {
        name: 'network',
        ok: false,
        message: 'This computer is not connected to a network. Only local servers can be reached.',
        nextStep: 'Connect to a network, then try again. Your sign-ins are saved.',
      };
}
