const pageAddress = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(?:[/?#].*)?$/;
/** Where the user's own computer is reached. */
const thisComputer = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of a web page as a browser sends it (RFC 6454 section 6.2), of any address of that page. Without TLS only
 * of a page on this computer: any other may be somebody in between.
 */
export function readWebOrigin(text: string): string | undefined {
  const [, scheme = '', host = '', port] = pageAddress.exec(text.toLowerCase()) ?? [];
  if (scheme !== 'https' && !thisComputer.includes(host)) return undefined;
  const isUsual = port === undefined || Number(port) === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${host}${isUsual ? '' : `:${Number(port)}`}`;
}

/**
 * The host and port of an address that may have `{name}` in it, ended by what ends them for every parser of URLs. Empty
 * where there is none.
 */
export function authorityOf(address: string): string {
  return /^https?:\/\/([^/?#\\]*)/iu.exec(address)?.[1] ?? '';
}

const form =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@\\]*@)?(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(\/[!-~]*)?$/iu;
/** Of the API; documentation often names it with its version. */
const apiPath = /(?:\/v0(?:\.1)?(?:\/servers)?)?\/*$/u;
const longest = 2_048;

export type RegistryRefusal = 'no-address' | 'not-encrypted' | 'with-password' | 'with-query';

type ReadAddress =
  | { readonly address: string; readonly refused?: never }
  | { readonly address?: never; readonly refused: RegistryRefusal };

/**
 * The address of a registry as it is kept, without what the API puts behind it, or why it is none that may be asked.
 * What is typed crosses the network on the way there: without TLS only within this computer.
 */
export function readRegistryAddress(text: string): ReadAddress {
  const typed = text.trim();
  const [plain = ''] = typed.split(/[?#]/u, 1);
  const parts = typed.length > longest ? null : form.exec(plain);
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

/** A host, with its port or without, that never leaves this computer (RFC 6761 6.3, RFC 1122 3.2.1.3). */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}
