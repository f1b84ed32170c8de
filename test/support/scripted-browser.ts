/** What the scripted user does. */
export interface SignInChoice {
  /** `demo`, `ada` or `grace`. */
  readonly user?: string;
  /** Typed where a page asks for a device code. */
  readonly userCode?: string;
  /** Presses Deny instead of Allow. */
  readonly deny?: boolean;
  /** Stops before this URL is requested, like a browser that cannot reach Postern. */
  readonly stopBefore?: (url: URL) => boolean;
  /** Maps a URL to its real host, for names that this machine cannot resolve. */
  readonly reach?: (url: URL) => URL;
  readonly signal?: AbortSignal;
}

export interface WalkEnd {
  /** The URL of the last page, or the one from `stopBefore`. */
  readonly url: string;
  /** Absent if `stopBefore` ended the walk. */
  readonly status?: number;
  readonly text: string;
  /** Every requested URL, in order. */
  readonly visited: readonly string[];
}

const maxSteps = 20;

/**
 * A scripted user with a browser: walks from an authorization URL to the page that the callback shows. It follows
 * redirects, stores cookies, fills in the sign-in page and presses a button on the consent page. It recognizes the
 * demo's pages only by their forms. Rejects on a network error or a loop.
 */
export async function completeSignIn(url: string, choice: SignInChoice = {}): Promise<WalkEnd> {
  const cookies = createCookieJar();
  const visited: string[] = [];
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(url) };
  for (let step = 0; step < maxSteps; step += 1) {
    const { url: here, form } = next;
    if (choice.stopBefore?.(here) === true) return { url: here.href, text: '', visited };
    visited.push(here.href);
    const response = await fetch(choice.reach?.(here) ?? here, {
      method: form === undefined ? 'GET' : 'POST',
      ...(form === undefined ? {} : { body: form }),
      headers: { accept: 'text/html', cookie: cookies.read(here) },
      redirect: 'manual',
      ...(choice.signal === undefined ? {} : { signal: choice.signal }),
    });
    cookies.store(here, response.headers.getSetCookie());
    const location = response.headers.get('location');
    const text = await response.text();
    if (response.status >= 300 && response.status < 400 && location !== null) {
      next = { url: new URL(location, here) };
      continue;
    }
    // A page that asks for the code again has not accepted it.
    const isRefused = form?.has('user_code') === true && text.includes('op.deviceInputForm');
    const fields = response.status === 200 && !isRefused ? fillIn(text, choice) : undefined;
    if (fields === undefined) return { url: here.href, status: response.status, text, visited };
    next = { url: here, form: fields };
  }
  throw new Error(`The sign-in did not end within ${maxSteps} pages: ${new URL(url).origin}`);
}

/** `undefined` if there is nothing to fill in on this page. */
function fillIn(page: string, choice: SignInChoice): URLSearchParams | undefined {
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/u.exec(page) ?? [];
  const [, shownCode = ''] = /name="user_code" value="([^"]*)"/u.exec(page) ?? [];
  if (page.includes('op.deviceConfirmForm')) {
    return new URLSearchParams({ xsrf, user_code: shownCode, confirm: 'yes', ...(choice.deny && { abort: 'yes' }) });
  }
  // A page opened with the code in its link submits it on its own.
  if (shownCode !== '' && !page.includes('op.deviceInputForm'))
    return new URLSearchParams({ xsrf, user_code: shownCode });
  if (page.includes('op.deviceInputForm') && choice.userCode !== undefined) {
    return new URLSearchParams({ xsrf, user_code: choice.userCode });
  }
  if (page.includes('name="password"')) {
    return new URLSearchParams({ username: choice.user ?? 'demo', password: 'any' });
  }
  if (page.includes('name="decision"')) {
    return new URLSearchParams({ decision: choice.deny === true ? 'deny' : 'allow' });
  }
  return undefined;
}

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

/** As much of RFC 6265 as a sign-in needs: cookies by host (without port) and path. */
function createCookieJar() {
  let cookies: readonly Cookie[] = [];
  return {
    read: (url: URL): string =>
      cookies
        .filter(({ host, path }) => host === url.hostname && matches(url.pathname, path))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    store(url: URL, headers: readonly string[]): void {
      for (const header of headers) {
        const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
        const name = pair.slice(0, pair.indexOf('='));
        const value = pair.slice(pair.indexOf('=') + 1);
        const attribute = (key: string): string | undefined =>
          attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
        const path = attribute('path') ?? '/';
        const expires = Date.parse(attribute('expires') ?? '');
        cookies = cookies.filter((known) => known.name !== name || known.path !== path || known.host !== url.hostname);
        if (value !== '' && !(expires <= Date.now())) cookies = [...cookies, { host: url.hostname, path, name, value }];
      }
    },
  };
}

function matches(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
