const form =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@\\]*@)?(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(\/[!-~]*)?$/iu;
/** Where a person's own computer is reached. */
const here = new Set(['localhost', '127.0.0.1', '[::1]']);
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
  if (kind === 'http' && !here.has(host)) return { refused: 'not-encrypted' };
  const isUsual = port === undefined || Number(port) === (kind === 'https' ? 443 : 80);
  return { address: `${kind}://${host}${isUsual ? '' : `:${Number(port)}`}${path.replace(apiPath, '')}` };
}
