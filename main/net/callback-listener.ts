import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Language } from '../../shared/choices.ts';
import { callbackWords as germanCallbackWords } from '../../shared/words/de/sign-in-words.ts';
import { callbackWords } from '../../shared/words/en/sign-in-words.ts';
import type { CallbackWords } from '../../shared/words/en/sign-in-words.ts';
import { PosternError } from '../errors/postern-error.ts';
import { wrongStateRequests } from '../limits.ts';
import type { CallbackAnswers, CallbackListener, CallbackReceiver, CallbackVerdict, LinkAnswer } from '../ports.ts';

/**
 * Imported as a module, it would load all of Node's own fetch (20 ms) for names that nobody asks for here. Loaded where
 * somebody listens: most commands sign in nowhere.
 */
const http = () => process.getBuiltinModule('node:http');

/**
 * The literal by default: `localhost` may also be `[::1]`, which another program can hold beside us (RFC 8252 section
 * 8.3). Where a service wants `localhost`, we hold both.
 */
const addresses = { '127.0.0.1': ['127.0.0.1'], localhost: ['127.0.0.1', '::1'] } as const;
/** A machine without IPv6 has no `::1` that anybody could hold. */
const noSuchFamily: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

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

/** Milliseconds that a page on its way to the browser may take once the listener is asked to close. */
const lastPage = 500;
/** Milliseconds for a request to arrive whole; only programs on this machine send any. */
const requestArrival = 10_000;
/** Browsers send every cookie of every local port to us; the program ignores them. */
const maxHeaderSize = 64 * 1024;

/**
 * The loopback redirect receiver (RFC 8252 section 7.3). Sign-ins of one process at one address, as with a port that
 * somebody has registered, share it, and a request is for the one that knows its state, or the word of its link; those
 * with `localhost` and those with the literal share the port. `language`: of the pages that the browser is shown.
 */
export function createCallbackReceiver(language: () => Language = () => 'en'): CallbackReceiver {
  const openSocket = shareOpen(async ({ host, port }: Socket, waiting: ReadonlySet<Waiting>) => {
    const answering = new Set<ServerResponse>();
    const server = createCallbackServer(waiting, answering, language);
    await bind(server, host, port);
    return { close: () => closeServer(server, answering) };
  });
  const listen = shareOpen(async ({ host, port }: Listening, all: ReadonlySet<CallbackAnswers>) => {
    const waiting = { host: `${host}:${port}`, judge: countWrong(firstOf(all)) };
    const sockets: Awaited<ReturnType<typeof openSocket>>[] = [];
    const close = async () => void (await Promise.all(sockets.map((socket) => socket.close())));
    try {
      for (const address of addresses[host]) sockets.push(await openSocket({ host: address, port }, waiting));
    } catch (error) {
      await close();
      throw error;
    }
    const origin = `http://${host}:${port}`;
    const linkTo = (word: string) => `${origin}${linkPath}${word}`;
    return { url: `${origin}${callbackPath}`, linkTo, close } satisfies CallbackListener;
  });
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

type Listening = Parameters<CallbackReceiver['listen']>[0];

interface Socket {
  readonly host: (typeof addresses)[keyof typeof addresses][number];
  readonly port: number;
}

/** Who waits at a socket, and under which `Host`. */
interface Waiting {
  readonly host: string;
  readonly judge: (asked: AnsweredRequest) => Judgement;
}

function createCallbackServer(
  waiting: ReadonlySet<Waiting>,
  answering: Set<ServerResponse>,
  language: () => Language,
): Server {
  const answer = (response: ServerResponse, status: number, page: CallbackPageName): void =>
    write(response, status, callbackPages[language()][page]);
  const find = (host: string | undefined): Waiting | undefined => [...waiting].find((one) => one.host === host);
  const server = http().createServer(
    {
      maxHeaderSize,
      requestTimeout: requestArrival,
      headersTimeout: requestArrival,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answering.add(response);
      response.once('close', () => answering.delete(response));
      const callback = readCallbackRequest(request, (host) => find(host) !== undefined);
      if ('refusal' in callback) return answer(response, callback.refusal, 'unknown');
      const judged = find(request.headers.host)?.judge(callback) ?? nobodys;
      if ('url' in judged) lead(response, judged.url);
      else answer(response, judged.status, judged.page);
    },
  );
  // Without these Node drops the connection unanswered (CONNECT) or says 100 Continue and 417.
  server.on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nConnection: close\r\n\r\n'),
  );
  server.on('checkContinue', (_request, response) => answer(response, 405, 'unknown'));
  server.on('checkExpectation', (_request, response) => answer(response, 405, 'unknown'));
  return server;
}

type AnsweredRequest = Exclude<CallbackRequest, { refusal: number }>;
type Judgement = { readonly url: string } | { readonly status: number; readonly page: CallbackPageName };

const nobodys: Judgement = { status: statuses['not-valid'], page: 'not-valid' };

/** Asks even after too many wrong states, so that nobody can shut out the right one. */
function countWrong(answers: CallbackAnswers) {
  let wrong = 0;
  return (asked: AnsweredRequest): Judgement => {
    const verdict = decide(answers, asked);
    if (typeof verdict === 'object') return verdict;
    if (verdict === 'not-valid') wrong += 1;
    const tooMany = verdict === 'not-valid' && wrong > wrongStateRequests;
    return { status: tooMany ? 429 : statuses[verdict], page: verdict };
  };
}

/** A fault of ours must not take the listener down, nor tell the page why. */
function decide(answers: CallbackAnswers, asked: AnsweredRequest): CallbackVerdict | LinkAnswer {
  try {
    return 'word' in asked ? answers.link(asked.word) : answers.callback(asked.query);
  } catch {
    return 'expired';
  }
}

/** To the sign-in page, which is told neither where its visitor comes from nor by which word. */
function lead(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...callbackHeaders, location, 'content-length': 0 }).end();
}

function write(response: ServerResponse, status: number, body: Buffer): void {
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
      if (host === '::1' && noSuchFamily.has(cause.code)) return resolve();
      reject(new PosternError('PORT_UNAVAILABLE', { stage: 'callback', cause, detail: { port } }));
    });
    server?.listen({ host, port, exclusive: true }, () => resolve());
  });
}

/** Lets a page that is being written reach the browser, then drops every connection, half-open ones too. */
async function closeServer(server: Server, answering: ReadonlySet<ServerResponse>): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), lastPage);
  await Promise.all(
    [...answering]
      .map((response) => new Promise((resolve) => response.once('close', resolve)))
      .map((written) => Promise.race([written, closed])),
  );
  server.closeAllConnections();
  await closed;
  clearTimeout(timer);
}

export const callbackPath = '/integration/oauth/callback';

/** The path of a one-time link, before its word: 32 random bytes in base64url. */
const linkPath = '/go/';
const link = /^\/go\/([\w-]{43})$/;

/** Characters of a request target. Code and state have 4 KiB each; what is far beyond is no callback. */
const longestTarget = 16 * 1024;

type CallbackRequest =
  { readonly query: string } | { readonly word: string } | { readonly refusal: 400 | 403 | 404 | 405 | 414 | 421 };

/**
 * Whether a request is our callback or a one-time link, judged on its raw form: `new URL(target, base)` would read
 * `//evil/…` and `http://evil/…` as another host, and Node joins or drops repeated fields.
 */
function readCallbackRequest(request: IncomingMessage, isOurs: (host: string | undefined) => boolean): CallbackRequest {
  const target = request.url ?? '';
  // Node serves an upgrade as a plain request when nobody listens for it.
  if (request.method !== 'GET' || request.headers.upgrade !== undefined) return { refusal: 405 };
  const hosts = request.rawHeaders.filter(
    (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
  );
  if (hosts.length !== 1) return { refusal: 400 };
  // A page under a name that an attacker points at 127.0.0.1 sends that name here (DNS rebinding).
  if (!isOurs(hosts[0])) return { refusal: 421 };
  if (target.length > longestTarget) return { refusal: 414 };
  if (!target.startsWith('/') || target.startsWith('//')) return { refusal: 400 };
  const mark = target.indexOf('?');
  const word = link.exec(target)?.[1];
  if (word === undefined && (mark < 0 ? target : target.slice(0, mark)) !== callbackPath) return { refusal: 404 };
  if (!isNavigation(request.headers)) return { refusal: 403 };
  if (word !== undefined) return { word };
  return { query: mark < 0 ? '' : target.slice(mark + 1) };
}

/** Fields by which browsers say that they look at a page before anybody has gone there. */
const lookingAhead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a browser goes to this page in a tab or window of its own, as far as it says so (W3C Fetch Metadata Request
 * Headers): no picture, frame, script or fetch of another page, and no look ahead. Browsers that say it say it whole; a
 * mode alone is Node's own fetch, in a script.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const saysMore = site !== undefined || destination !== undefined;
  if (saysMore && ((mode ?? 'navigate') !== 'navigate' || (destination ?? 'document') !== 'document')) return false;
  return lookingAhead.every((name) => headers[name] === undefined);
}

/** Asks one after the other, and no further than the one that knows it. */
function firstOf(all: ReadonlySet<CallbackAnswers>): CallbackAnswers {
  function ask<Answer>(one: (answers: CallbackAnswers) => Answer): Answer | 'not-valid' {
    for (const answers of all) {
      const answer = one(answers);
      if (answer !== 'not-valid') return answer;
    }
    return 'not-valid';
  }
  return {
    callback: (query) => ask((answers) => answers.callback(query)),
    link: (word) => ask((answers) => answers.link(word)),
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

interface Shared<Member, Opened> {
  readonly members: Set<Member>;
  readonly opening: Promise<Opened>;
}

/**
 * What is opened at a place is opened once for all of this process who want it there at one time: `open` is told who
 * they are, now and later. The last one that ends gives the place up. Errors: those of `open`.
 */
function shareOpen<At extends Place, Member, Opened extends { readonly close: () => Promise<void> }>(
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
    const there = shared.get(key) ?? { members, opening: open(at, members) };
    shared.set(key, there);
    there.members.add(member);
    try {
      const opened = await there.opening;
      return { ...opened, close: () => leave(key, there, member) };
    } catch (error) {
      await leave(key, there, member);
      throw error;
    }
  };
}

/** Everything the listener can say. `unknown` is for requests that are no callback at all. */
type CallbackPageName = CallbackVerdict | 'unknown';

/** English after the command line, after a window as it speaks. */
const words: Readonly<Record<Language, Readonly<Record<CallbackPageName, CallbackWords['done']>>>> = {
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
  const { title, sentence } = words[language][name];
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
  const names = Object.keys(words[language]) as readonly CallbackPageName[];
  const pages = names.map((name) => [name, renderPage(language, name)]);
  return Object.fromEntries(pages) as Record<CallbackPageName, Buffer>;
}

/** Made once from constants: no byte of a request can get into a page. */
export const callbackPages: Readonly<Record<Language, Readonly<Record<CallbackPageName, Buffer>>>> = {
  en: renderPages('en'),
  de: renderPages('de'),
};

const styleHash = createHash('sha256').update(style).digest('base64');

/** The same for every answer. No CORS field, ever: no page of another origin has business here. */
const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
};
