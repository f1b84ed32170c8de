import type { CertificateFacts } from '../../request-error.ts';

/** What connecting to a place (`host:port`) showed, for the sentence about a request there that fails. */
export interface ConnectionNotes {
  /** Places whose servers ask for a client certificate. */
  readonly askedForCertificate: Set<string>;
  /** The certificates that were shown last by places to which no TLS came about. */
  readonly refusedCertificate: Map<string, CertificateFacts>;
  /** Proxies that are being asked right now to open a tunnel. */
  readonly openingThrough: Map<string, string>;
}

/** What tells places apart: a host with its port, written out. */
export function placeOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
