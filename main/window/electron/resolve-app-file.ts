import path from 'node:path';

export const appScheme = 'app';
/** Origin of our pages: nothing else is served or trusted. */
export const appOrigin = `${appScheme}://postern`;

/**
 * The file under `root` for an `app://postern/…` URL; `undefined` for another host, and for any path that leads out of
 * the folder. The caller checks symbolic links.
 */
export function resolveAppFile(root: string, address: string): string | undefined {
  const url = URL.parse(address);
  // Not `host`: plain Node does not parse custom schemes as standard.
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
