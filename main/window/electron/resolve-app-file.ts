import path from 'node:path';

export const appScheme = 'app';
/** Where our own pages live: nothing else is ever served or trusted. */
export const appOrigin = `${appScheme}://postern`;

/**
 * The file of an `app://postern/…` address under `root`; `undefined` for another host, and for whatever leads out of
 * the folder, in whichever spelling. Links are the reader's to check.
 */
export function resolveAppFile(root: string, address: string): string | undefined {
  const url = URL.parse(address);
  // `host` of a standard custom scheme; plain Node has no such notion and leaves it in the href.
  if (!url || !url.href.startsWith(`${appOrigin}/`)) return undefined;
  const name = decode(url.pathname);
  if (name === undefined || /[\0\\]/u.test(name)) return undefined;
  const file = path.resolve(root, `.${name === '/' ? '/index.html' : name}`);
  return file.startsWith(`${path.resolve(root)}${path.sep}`) ? file : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
