/**
 * A person with a browser, scripted: follows redirects, keeps cookies, fills in the sign-in page and presses a button
 * on the consent page. It knows the demo's pages only by their forms.
 */
export interface SignInChoice {
  /** `demo`, `ada` or `grace`. */
  readonly user?: string;
  /** Typed where a page asks for the code of another device. */
  readonly userCode?: string;
  /** Presses Deny instead of Allow. */
  readonly deny?: boolean;
  /** Ends the walk before this address is requested, as a browser would that cannot reach the program. */
  readonly stopBefore?: (url: URL) => boolean;
  /** Where an address is really reached, for names that the resolver of this machine does not know. */
  readonly reach?: (url: URL) => URL;
  readonly signal?: AbortSignal;
}

export interface WalkEnd {
  /** The address of the last page, or the one that `stopBefore` named. */
  readonly url: string;
  /** Absent when `stopBefore` ended the walk. */
  readonly status?: number;
  readonly text: string;
  /** Every address requested, in order. */
  readonly visited: readonly string[];
}

const mostSteps = 20;

/**
 * Walks from an authorization URL to the page that the program's callback shows. Rejects on a network error or a loop.
 */
export async function approveSignIn(url: string, choice: SignInChoice = {}): Promise<WalkEnd> {
  const cookies = createCookieJar();
  const visited: string[] = [];
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(url) };
  for (let step = 0; step < mostSteps; step += 1) {
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
    // A page that asks for the code again has not taken it.
    const isRefused = form?.has('user_code') === true && text.includes('op.deviceInputForm');
    const answer = response.status === 200 && !isRefused ? fillIn(text, choice) : undefined;
    if (answer === undefined) return { url: here.href, status: response.status, text, visited };
    next = { url: here, form: answer };
  }
  throw new Error(`The sign-in did not end within ${mostSteps} pages: ${new URL(url).origin}`);
}

/** `undefined`: there is nothing to fill in on this page. */
function fillIn(page: string, choice: SignInChoice): URLSearchParams | undefined {
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/u.exec(page) ?? [];
  const [, shownCode = ''] = /name="user_code" value="([^"]*)"/u.exec(page) ?? [];
  if (page.includes('op.deviceConfirmForm')) {
    return new URLSearchParams({ xsrf, user_code: shownCode, confirm: 'yes', ...(choice.deny && { abort: 'yes' }) });
  }
  // The page behind a link with the code sends it on by itself.
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

/** As much of RFC 6265 as a sign-in needs: by host (a cookie knows no port) and by path. */
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
        const attribute = (wanted: string): string | undefined =>
          attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
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
