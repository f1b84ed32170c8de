import { displayHost } from './display-host.ts';

/** Where an address leads, as it is shown: the host, and the port where it is not the scheme's own. */
export function displayPlace({ hostname, port }: Pick<URL, 'hostname' | 'port'>): string {
  return port === '' ? displayHost(hostname) : `${displayHost(hostname)}:${port}`;
}
