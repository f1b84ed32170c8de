const pageAddress = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(?:[/?#].*)?$/;
/** Hosts of this computer. */
const thisComputer = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of a web page as a browser sends it (RFC 6454 section 6.2), from any address of that page. Without TLS
 * only for pages on this computer: any other could be a man in the middle.
 */
export function readWebOrigin(text: string): string | undefined {
  const [, scheme = '', host = '', port] = pageAddress.exec(text.toLowerCase()) ?? [];
  if (scheme !== 'https' && !thisComputer.includes(host)) return undefined;
  const isUsual = port === undefined || Number(port) === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${host}${isUsual ? '' : `:${Number(port)}`}`;
}

/**
 * The host and port of an address that may contain `{name}`, up to what ends them for every URL parser. Empty if there
 * are none.
 */
export function authorityOf(address: string): string {
  return /^https?:\/\/([^/?#\\]*)/iu.exec(address)?.[1] ?? '';
}

const registryAddress =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@\\]*@)?(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(\/[!-~]*)?$/iu;
/** The API's path; documentation often includes its version. */
const apiPath = /(?:\/v0(?:\.1)?(?:\/servers)?)?\/*$/u;
const maxLength = 2_048;

export type RegistryRefusal = 'no-address' | 'not-encrypted' | 'with-password' | 'with-query';

type ReadAddress =
  | { readonly address: string; readonly refused?: never }
  | { readonly address?: never; readonly refused: RegistryRefusal };

/**
 * The registry address to store, without the API's path, or why it is not allowed. Searches are sent to it, so without
 * TLS only on this computer.
 */
export function readRegistryAddress(text: string): ReadAddress {
  const typed = text.trim();
  const [plain = ''] = typed.split(/[?#]/u, 1);
  const parts = typed.length > maxLength ? null : registryAddress.exec(plain);
  if (!parts) return { refused: 'no-address' };
  const [, scheme = 'https', user, name = '', port, path = ''] = parts;
  const [kind, host] = [scheme.toLowerCase(), name.toLowerCase()];
  if ((kind !== 'https' && kind !== 'http') || path.includes('\\')) return { refused: 'no-address' };
  if (user !== undefined) return { refused: 'with-password' };
  if (plain !== typed) return { refused: 'with-query' };
  if (kind === 'http' && !thisComputer.includes(host)) return { refused: 'not-encrypted' };
  const isUsual = port === undefined || Number(port) === (kind === 'https' ? 443 : 80);
  return { address: `${kind}://${host}${isUsual ? '' : `:${Number(port)}`}${path.replace(apiPath, '')}` };
}

/** Whether a host, with or without a port, never leaves this computer (RFC 6761 6.3, RFC 1122 3.2.1.3). */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
