import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Language } from '../../shared/choices.ts';
import { callbackWords as germanCallbackWords } from '../../shared/words/de/sign-in-words.ts';
import { callbackWords } from '../../shared/words/en/sign-in-words.ts';
import type { CallbackWords } from '../../shared/words/en/sign-in-words.ts';
import { PosternError } from '../errors/postern-error.ts';
import { wrongStateRequests } from '../limits.ts';
import type { CallbackHandlers, CallbackListener, CallbackReceiver, CallbackVerdict, LinkTarget } from '../ports.ts';

/** Loaded on demand: a static import costs 20 ms (it pulls in Node's fetch), and most commands never sign in. */
const http = () => process.getBuiltinModule('node:http');

/**
 * The IP literal by default: `localhost` may resolve to `[::1]`, where another program could listen (RFC 8252 section
 * 8.3). For services that require `localhost`, we listen on both.
 */
const addresses = { '127.0.0.1': ['127.0.0.1'], localhost: ['127.0.0.1', '::1'] } as const;
/** Without IPv6, nobody else can listen on `::1` either. */
const missingFamilyCodes: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

const statuses: Record<CallbackVerdict, number> = {
  done: 200,
  refused: 200,
  expired: 410,
  failed: 400,
  used: 410,
  superseded: 410,
  'opened-twice': 410,
  'not-valid': 400,
};

/** Milliseconds for a page in flight to reach the browser before the listener closes. */
const closeGrace = 500;
/** Milliseconds for a complete request; all senders are local. */
const requestTimeout = 10_000;
/** Bytes. Generous, since browsers send the cookies of all local ports; we ignore them. */
const maxHeaderSize = 64 * 1024;

/**
 * The loopback redirect receiver (RFC 8252 section 7.3). Concurrent sign-ins at one address (a registered port) share a
 * listener; a request goes to the one that knows its `state` or link token. Sign-ins with `localhost` and with the IP
 * literal share the port. `language`: of the pages shown in the browser.
 */
export function createCallbackReceiver(language: () => Language = () => 'en'): CallbackReceiver {
  const openSocket = shareByAddress(async ({ host, port }: SocketAddress, handlers: ReadonlySet<HostHandler>) => {
    const openResponses = new Set<ServerResponse>();
    const server = createCallbackServer(handlers, openResponses, language);
    await bind(server, host, port);
    return { close: () => closeServer(server, openResponses) };
  });
  const listen = shareByAddress(
    async ({ host, port }: ListenAddress, handlersInTurn: ReadonlySet<CallbackHandlers>) => {
      const handler = { host: `${host}:${port}`, handle: limitWrongStates(firstMatch(handlersInTurn)) };
      const sockets: Awaited<ReturnType<typeof openSocket>>[] = [];
      const close = async () => void (await Promise.all(sockets.map((socket) => socket.close())));
      try {
        for (const address of addresses[host]) sockets.push(await openSocket({ host: address, port }, handler));
      } catch (error) {
        await close();
        throw error;
      }
      const origin = `http://${host}:${port}`;
      const linkTo = (linkToken: string) => `${origin}${linkPath}${linkToken}`;
      return { url: `${origin}${callbackPath}`, linkTo, close } satisfies CallbackListener;
    },
  );
  return {
    listen,
    async freePort() {
      const server = http().createServer();
      await bind(server, '127.0.0.1', 0);
      const { port } = server.address() as AddressInfo;
      await closeServer(server, new Set());
      return port;
    },
  };
}

type ListenAddress = Parameters<CallbackReceiver['listen']>[0];

interface SocketAddress {
  readonly host: (typeof addresses)[keyof typeof addresses][number];
  readonly port: number;
}

/** Handles the requests for one `Host` at a socket. */
interface HostHandler {
  readonly host: string;
  readonly handle: (request: AcceptedRequest) => CallbackResponse;
}

function createCallbackServer(
  handlers: ReadonlySet<HostHandler>,
  openResponses: Set<ServerResponse>,
  language: () => Language,
): Server {
  const respond = (response: ServerResponse, status: number, page: CallbackPageName): void =>
    writePage(response, status, callbackPages[language()][page]);
  const find = (host: string | undefined): HostHandler | undefined =>
    [...handlers].find((handler) => handler.host === host);
  const server = http().createServer(
    {
      maxHeaderSize,
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      openResponses.add(response);
      response.once('close', () => openResponses.delete(response));
      const parsed = readCallbackRequest(request, (host) => find(host) !== undefined);
      if ('refusal' in parsed) return respond(response, parsed.refusal, 'unknown');
      const result = find(request.headers.host)?.handle(parsed) ?? unmatched;
      if ('url' in result) redirect(response, result.url);
      else respond(response, result.status, result.page);
    },
  );
  // Without these, Node drops the connection (CONNECT) or sends 100 Continue or 417.
  server.on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nConnection: close\r\n\r\n'),
  );
  server.on('checkContinue', (_request, response) => respond(response, 405, 'unknown'));
  server.on('checkExpectation', (_request, response) => respond(response, 405, 'unknown'));
  return server;
}

type AcceptedRequest = Exclude<CallbackRequest, { refusal: number }>;
type CallbackResponse = { readonly url: string } | { readonly status: number; readonly page: CallbackPageName };

const unmatched: CallbackResponse = { status: statuses['not-valid'], page: 'not-valid' };

/** Still checks the state after too many wrong ones, so that an attacker cannot lock out the right one. */
function limitWrongStates(handlers: CallbackHandlers) {
  let wrongStates = 0;
  return (request: AcceptedRequest): CallbackResponse => {
    const verdict = verdictFor(handlers, request);
    if (typeof verdict === 'object') return verdict;
    if (verdict === 'not-valid') wrongStates += 1;
    const tooMany = verdict === 'not-valid' && wrongStates > wrongStateRequests;
    return { status: tooMany ? 429 : statuses[verdict], page: verdict };
  };
}

/** Our own bug must neither crash the listener nor leak details to the page. */
function verdictFor(handlers: CallbackHandlers, request: AcceptedRequest): CallbackVerdict | LinkTarget {
  try {
    return 'linkToken' in request ? handlers.link(request.linkToken) : handlers.callback(request.query);
  } catch {
    return 'expired';
  }
}

/** Redirects to the sign-in page without a referrer: the link token must not leak. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...callbackHeaders, location, 'content-length': 0 }).end();
}

function writePage(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    ...callbackHeaders,
    'content-length': body.byteLength,
    ...(status === 405 ? { allow: 'GET' } : {}),
  });
  response.end(body);
}

function bind(server: Server | undefined, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server?.once('error', (cause: NodeJS.ErrnoException) => {
      if (host === '::1' && missingFamilyCodes.has(cause.code)) return resolve();
      reject(new PosternError('PORT_UNAVAILABLE', { stage: 'callback', cause, detail: { port } }));
    });
    server?.listen({ host, port, exclusive: true }, () => resolve());
  });
}

/** Lets pages in flight reach the browser, then drops every connection, including half-open ones. */
async function closeServer(server: Server, openResponses: ReadonlySet<ServerResponse>): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), closeGrace);
  await Promise.all(
    [...openResponses]
      .map((response) => new Promise((resolve) => response.once('close', resolve)))
      .map((closing) => Promise.race([closing, closed])),
  );
  server.closeAllConnections();
  await closed;
  clearTimeout(timer);
}

export const callbackPath = '/integration/oauth/callback';

/** Path prefix of a one-time link; its token follows: 32 random bytes in base64url. */
const linkPath = '/go/';
const link = /^\/go\/([\w-]{43})$/;

/** Characters of a request target. Code and state are at most 4 KiB each. */
const maxTargetLength = 16 * 1024;

type CallbackRequest =
  { readonly query: string } | { readonly linkToken: string } | { readonly refusal: 400 | 403 | 404 | 405 | 414 | 421 };

/**
 * Parses the raw request: `new URL(target, base)` would take `//evil/…` and `http://evil/…` for another host, and Node
 * joins or drops repeated header fields.
 */
function readCallbackRequest(
  request: IncomingMessage,
  isKnownHost: (host: string | undefined) => boolean,
): CallbackRequest {
  const target = request.url ?? '';
  // Node treats an upgrade as a normal request if there is no listener for it.
  if (request.method !== 'GET' || request.headers.upgrade !== undefined) return { refusal: 405 };
  const hosts = request.rawHeaders.filter(
    (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
  );
  if (hosts.length !== 1) return { refusal: 400 };
  // DNS rebinding: a page whose name an attacker points to 127.0.0.1 sends that name as its host.
  if (!isKnownHost(hosts[0])) return { refusal: 421 };
  if (target.length > maxTargetLength) return { refusal: 414 };
  if (!target.startsWith('/') || target.startsWith('//')) return { refusal: 400 };
  const queryStart = target.indexOf('?');
  const linkToken = link.exec(target)?.[1];
  if (linkToken === undefined && (queryStart < 0 ? target : target.slice(0, queryStart)) !== callbackPath)
    return { refusal: 404 };
  if (!isNavigation(request.headers)) return { refusal: 403 };
  if (linkToken !== undefined) return { linkToken };
  return { query: queryStart < 0 ? '' : target.slice(queryStart + 1) };
}

/** Headers of browsers that prefetch a page before the user goes there. */
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * True for a top-level navigation (W3C Fetch Metadata Request Headers): not an image, frame, script, fetch or prefetch.
 * Browsers send all fields or none; a mode alone comes from Node's fetch, in a script.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const hasFetchMetadata = site !== undefined || destination !== undefined;
  if (hasFetchMetadata && ((mode ?? 'navigate') !== 'navigate' || (destination ?? 'document') !== 'document'))
    return false;
  return prefetchHeaders.every((name) => headers[name] === undefined);
}

/** Tries the sign-ins in turn until one recognizes the request. */
function firstMatch(handlersInTurn: ReadonlySet<CallbackHandlers>): CallbackHandlers {
  function tryEach<Result>(handle: (handlers: CallbackHandlers) => Result): Result | 'not-valid' {
    for (const handlers of handlersInTurn) {
      const result = handle(handlers);
      if (result !== 'not-valid') return result;
    }
    return 'not-valid';
  }
  return {
    callback: (query) => tryEach((handlers) => handlers.callback(query)),
    link: (linkToken) => tryEach((handlers) => handlers.link(linkToken)),
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Shared<Member, Opened> {
  readonly members: Set<Member>;
  readonly opening: Promise<Opened>;
}

/**
 * Opens one resource per address and shares it within this process; `open` gets a live set of its members. It is closed
 * when the last member leaves. Errors: those of `open`.
 */
function shareByAddress<At extends Address, Member, Opened extends { readonly close: () => Promise<void> }>(
  open: (at: At, members: ReadonlySet<Member>) => Promise<Opened>,
): (at: At, member: Member) => Promise<Opened> {
  const shared = new Map<string, Shared<Member, Opened>>();
  const closing = new Map<string, Promise<void>>();

  async function leave(key: string, { members, opening }: Shared<Member, Opened>, member: Member): Promise<void> {
    if (!members.delete(member) || members.size > 0) return;
    shared.delete(key);
    const closed = opening.then(
      (opened) => opened.close(),
      () => {},
    );
    closing.set(key, closed);
    await closed;
    closing.delete(key);
  }

  return async (at, member) => {
    const key = `${at.host} ${at.port}`;
    for (let last = closing.get(key); last; last = closing.get(key)) await last;
    const members = new Set<Member>();
    const entry = shared.get(key) ?? { members, opening: open(at, members) };
    shared.set(key, entry);
    entry.members.add(member);
    try {
      const opened = await entry.opening;
      return { ...opened, close: () => leave(key, entry, member) };
    } catch (error) {
      await leave(key, entry, member);
      throw error;
    }
  };
}

/** `unknown` is for requests that are not callbacks at all. */
type CallbackPageName = CallbackVerdict | 'unknown';

/** English for the command line, the window's language otherwise. */
const pageWords: Readonly<Record<Language, Readonly<Record<CallbackPageName, CallbackWords['done']>>>> = {
  en: callbackWords,
  de: germanCallbackWords,
};

const style = `
:root { color-scheme: light dark; --ground: #f6f5f2; --card: #fff; --ink: #1d1c1a; --quiet: #66625a; --line: #e2dfd8; --mark: #2f6f4f }
@media (prefers-color-scheme: dark) {
  :root { --ground: #171615; --card: #21201e; --ink: #f1efea; --quiet: #aaa59b; --line: #35332f; --mark: #7fc7a0 }
}
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 28rem; padding: 40px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; text-align: center }
.mark { color: var(--mark); font-size: 40px; line-height: 1 }
.stop .mark { color: var(--quiet) }
h1 { margin: 16px 0 8px; font-size: 22px; line-height: 1.3 }
p { color: var(--quiet) }
`;

function renderPage(language: Language, name: CallbackPageName): Buffer {
  const { title, sentence } = pageWords[language][name];
  return Buffer.from(
    `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Postern</title>
<style>${style}</style>
</head>
<body>
<main class="${name === 'done' ? 'done' : 'stop'}">
<div class="mark" aria-hidden="true">${name === 'done' ? '✓' : '–'}</div>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`,
  );
}

function renderPages(language: Language): Readonly<Record<CallbackPageName, Buffer>> {
  const names = Object.keys(pageWords[language]) as readonly CallbackPageName[];
  const pages = names.map((name) => [name, renderPage(language, name)]);
  return Object.fromEntries(pages) as Record<CallbackPageName, Buffer>;
}

/** Rendered once from constants, so that no byte of a request can get into a page. */
export const callbackPages: Readonly<Record<Language, Readonly<Record<CallbackPageName, Buffer>>>> = {
  en: renderPages('en'),
  de: renderPages('de'),
};

const styleHash = createHash('sha256').update(style).digest('base64');

/** For every response. Never a CORS header: no other origin may read anything here. */
const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
};
