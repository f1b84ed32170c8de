import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wrongStateRequests } from '../../main/limits.ts';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import type { CallbackHandlers, CallbackListener, CallbackVerdict, LinkTarget } from '../../main/ports.ts';
import type { Language } from '../../shared/choices.ts';
import { callbackWords as germanWords } from '../../shared/words/de/sign-in-words.ts';
import { callbackWords as englishWords } from '../../shared/words/en/sign-in-words.ts';
import { asChecked } from '../support/as-checked.ts';

const receiver = createCallbackReceiver();
const path = '/integration/oauth/callback';

let port: number;
let listener: CallbackListener;
let queries: string[];
let sockets: Socket[];

/** `state=good` is ours; `state=late` and `state=denied` as their names say. */
function judge(query: string): CallbackVerdict {
  queries.push(query);
  if (query.includes('state=good')) return 'done';
  if (query.includes('state=denied')) return 'refused';
  return query.includes('state=late') ? 'expired' : 'not-valid';
}

/** Requested tokens of one-time links. */
let words: string[];
const word = 'w'.repeat(43);
const signInPage = 'https://auth.example.com/authorize?state=s&x=%22';

/** `w…` redirects, `u…` was used before; any other is unknown. */
function follow(given: string): LinkTarget {
  words.push(given);
  if (given === word) return { url: asChecked(signInPage) };
  return given.startsWith('u') ? 'opened-twice' : 'not-valid';
}
const handlers: CallbackHandlers = { callback: judge, link: follow };

beforeEach(async () => {
  queries = [];
  words = [];
  sockets = [];
  port = await receiver.freePort();
  listener = await receiver.listen({ host: '127.0.0.1', port }, handlers);
});
afterEach(async () => {
  await listener.close();
  sockets.forEach((socket) => socket.destroy());
});

function dial(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Sends raw bytes and returns everything up to the end of the connection. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = dial();
    let response = '';
    socket.on('data', (chunk) => (response += chunk.toString('utf8')));
    socket.on('close', () => resolve(response));
    socket.write(bytes);
  });
}

const request = (line: string, fields = `Host: 127.0.0.1:${port}\r\n`): Promise<string> =>
  send(`${line} HTTP/1.1\r\n${fields}\r\n`);
const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1]);
const bodyOf = (response: string): string => response.slice(response.indexOf('\r\n\r\n') + 4);

/** The real sign-in still works. */
async function expectAlive(): Promise<void> {
  const before = queries.length;
  expect(statusOf(await request(`GET ${path}?code=c&state=good`))).toBe(200);
  expect(queries.slice(before)).toEqual(['code=c&state=good']);
}

describe('createCallbackReceiver', () => {
  it('listens on the literal loopback address (RFC 8252 section 8.3, AZ-19)', () => {
    expect(listener.url).toBe(`http://127.0.0.1:${port}${path}`);
  });

  it('passes on the raw query and shows a page for the outcome', async () => {
    const answers = await Promise.all(
      ['code=a%20b&state=good&code=%', 'state=denied', 'state=late', 'state=wrong', ''].map((query) =>
        request(`GET ${path}${query === '' ? '' : `?${query}`}`),
      ),
    );
    expect(answers.map(statusOf)).toEqual([200, 200, 410, 400, 400]);
    expect(queries.toSorted()).toEqual([
      '',
      'code=a%20b&state=good&code=%',
      'state=denied',
      'state=late',
      'state=wrong',
    ]);
    expect(new Set(answers.map(bodyOf)).size).toBe(4);
  });

  it('locks every page down: no script, no origin, no caching (AZ-13)', async () => {
    for (const line of [`GET ${path}?state=good`, `GET ${path}`, 'GET /', `POST ${path}`]) {
      const response = await request(line, `Host: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n`);
      const head = response.slice(0, response.indexOf('\r\n\r\n')).toLowerCase();
      expect(head).toContain("content-security-policy: default-src 'none'; style-src 'sha256-");
      expect(head).toContain('x-content-type-options: nosniff');
      expect(head).toContain('cache-control: no-store');
      expect(head).toContain('referrer-policy: no-referrer');
      expect(head).toContain('connection: close');
      expect(head).not.toContain('access-control');
      expect(bodyOf(response)).not.toMatch(/<script|https?:\/\//);
    }
  });

  it('allows only its own style, by hash', async () => {
    const response = await request(`GET ${path}?state=good`);
    const style = /<style>([\s\S]*)<\/style>/.exec(response)?.[1] ?? '';
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64');
    expect(response).toContain(`style-src 'sha256-${hash}'`);
  });

  it('never echoes a byte of a request (AZ-13)', async () => {
    const canary = 'canary<script>alert(1)</script>';
    const host = `Host: 127.0.0.1:${port}\r\n`;
    for (const response of [
      await request(`GET ${path}?code=${canary}&state=${canary}&error=${canary}`),
      await request(`GET ${path}?state=good&code=${canary}`),
      await request(`GET /${canary}`),
      await request(`GET ${path}`, `Host: ${canary}\r\n`),
      await request(`GET ${path}`, `${host}Referer: ${canary}\r\nOrigin: ${canary}\r\n`),
      await request(`CANARY ${path}`),
    ]) {
      expect(response).toMatch(/^HTTP\/1\.1 /);
      expect(response.toLowerCase()).not.toContain('canary');
    }
    await expectAlive();
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'])(
    'refuses %s with 405 (AZ-14)',
    async (method) => {
      const target = method === 'CONNECT' ? '127.0.0.1:443' : `${path}?state=good`;
      const preflight = 'Origin: https://evil.example\r\nAccess-Control-Request-Private-Network: true\r\n';
      const response = await request(`${method} ${target}`, `Host: 127.0.0.1:${port}\r\n${preflight}`);
      expect(statusOf(response)).toBe(405);
      expect(response.toLowerCase()).toContain('allow: get');
      expect(queries).toEqual([]);
      await expectAlive();
    },
  );

  it('refuses a WebSocket upgrade and an Expect with 405 (AZ-14)', async () => {
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n';
    expect(statusOf(await request(`GET ${path}?state=good`, host + upgrade))).toBe(405);
    expect(statusOf(await request(`GET ${path}?state=good`, `${host}Expect: 100-continue\r\n`))).toBe(405);
    expect(queries).toEqual([]);
    await expectAlive();
  });

  it('responds only to its exact Host (AZ-15, DNS rebinding)', async () => {
    const line = `GET ${path}?state=good`;
    const own = `Host: 127.0.0.1:${port}\r\n`;
    expect(statusOf(await request(line, `Host: evil.example:${port}\r\n`))).toBe(421);
    expect(statusOf(await request(line, `Host: localhost:${port}\r\n`))).toBe(421);
    expect(statusOf(await request(line, `Host: 127.0.0.1:${port + 1}\r\n`))).toBe(421);
    expect(statusOf(await request(line, 'Host: 127.0.0.1\r\n'))).toBe(421);
    expect(statusOf(await request(line, ''))).toBe(400);
    expect(statusOf(await request(line, own + own))).toBe(400);
    expect(statusOf(await request(line, `${own}Host: evil.example\r\n`))).toBe(400);
    expect(statusOf(await send(`${line} HTTP/1.0\r\n\r\n`))).toBe(400);
    expect(queries).toEqual([]);
    await expectAlive();
  });

  it.each([
    `//evil.example${path}?state=good`,
    `http://evil.example${path}?state=good`,
    `http://127.0.0.1${path}?state=good`,
    '*',
    `\\${path}?state=good`,
  ])('refuses the request target %s (AZ-16)', async (target) => {
    expect(statusOf(await request(`GET ${target}`))).toBe(400);
    expect(queries).toEqual([]);
    await expectAlive();
  });

  it.each([
    '/',
    '/favicon.ico',
    `${path}/`,
    `${path}/../callback`,
    '/integration/oauth/Callback',
    `${path}%20`,
    `${path};x`,
    `/.${path}`,
  ])('returns 404 for the path %s', async (target) => {
    expect(statusOf(await request(`GET ${target}?state=good`))).toBe(404);
    expect(queries).toEqual([]);
  });

  it('refuses long targets and fields (AZ-18)', async () => {
    expect(statusOf(await request(`GET ${path}?state=good&x=${'a'.repeat(20_000)}`))).toBe(414);
    expect(statusOf(await request(`GET ${path}?state=good&x=${'a'.repeat(1_000_000)}`))).toBe(431);
    expect(statusOf(await request(`GET ${path}`, `Host: 127.0.0.1:${port}\r\nX: ${'a'.repeat(100_000)}\r\n`))).toBe(
      431,
    );
    expect(queries).toEqual([]);
    await expectAlive();
  });

  it('accepts a code and a state of 4 KiB each, and the cookies of other local apps', async () => {
    const query = `code=${'a'.repeat(4_096)}&state=good${'b'.repeat(4_092)}`;
    const cookies = `Cookie: ${'c'.repeat(20_000)}\r\n`;
    expect(statusOf(await request(`GET ${path}?${query}`, `Host: 127.0.0.1:${port}\r\n${cookies}`))).toBe(200);
    expect(queries).toEqual([query]);
  });

  it('throttles wrong states, and never the right one (AZ-18)', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < wrongStateRequests + 2; count += 1) {
      statuses.push(statusOf(await request(`GET ${path}?state=wrong${count}`)));
    }
    expect(new Set(statuses.slice(0, wrongStateRequests))).toEqual(new Set([400]));
    expect(statuses.slice(wrongStateRequests)).toEqual([429, 429]);
    expect(statusOf(await request(`GET ${path}?state=late`))).toBe(410);
    await expectAlive();
  });

  it('survives garbage and idle connections, and closes despite them (AZ-18)', async () => {
    for (let count = 0; count < 200; count += 1) dial();
    for (let count = 0; count < 50; count += 1) dial().write('GET /half');
    await Promise.all(Array.from({ length: 100 }, () => send('\u0000\u0001garbage\r\n\r\n')));
    await expectAlive();
    // An idle connection must not keep it open, which would last as long as the test waits.
    await listener.close();
  });

  it('delivers the page of the callback that closes it', async () => {
    await listener.close();
    let closing: Promise<void> | undefined;
    const callback = (): CallbackVerdict => {
      closing = listener.close();
      return 'done';
    };
    listener = await receiver.listen({ host: '127.0.0.1', port }, { ...handlers, callback });
    const response = await request(`GET ${path}?code=c&state=good`);
    expect(statusOf(response)).toBe(200);
    expect(response).toMatch(/<\/html>\s*$/);
    await closing;
    expect(await request(`GET ${path}?code=c&state=good`)).toBe('');
  });

  it('shows its own error page when the callback handler throws', async () => {
    await listener.close();
    const callback = (): never => {
      throw new Error('canary');
    };
    listener = await receiver.listen({ host: '127.0.0.1', port }, { callback, link: callback });
    const response = await request(`GET ${path}?state=good`);
    expect(statusOf(response)).toBe(410);
    expect(response).not.toContain('canary');
  });

  it('reports a port in use before anything opens (AZ-21)', async () => {
    // Another process holds the port.
    await expect(createCallbackReceiver().listen({ host: '127.0.0.1', port }, handlers)).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      stage: 'callback',
      detail: { port },
    });
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const usedPort = (other.address() as AddressInfo).port;
    await expect(receiver.listen({ host: '127.0.0.1', port: usedPort }, handlers)).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      detail: { port: usedPort },
    });
    await new Promise((resolve) => other.close(resolve));
  });

  it('serves concurrent sign-ins of one process, each by its own state and its own link (RFC 6749 10.12)', async () => {
    const other = 'o'.repeat(43);
    const asks: string[] = [];
    const second = await receiver.listen(
      { host: '127.0.0.1', port },
      {
        callback: (query) => (asks.push(query), query === 'state=second' ? 'done' : 'not-valid'),
        link: (given) => (given === other ? { url: asChecked('https://other.example.com/') } : 'not-valid'),
      },
    );
    const status = async (target: string) => (await fetch(`http://127.0.0.1:${port}${target}`)).status;
    const lead = async (to: string) => (await fetch(to, { redirect: 'manual' })).headers.get('location');
    expect(await status(`${path}?state=second`)).toBe(200);
    expect(await status(`${path}?state=good`)).toBe(200);
    expect(await status(`${path}?state=nobody`)).toBe(400);
    // Nothing about the first one is revealed to others.
    expect(asks).toEqual(['state=second', 'state=nobody']);
    expect(await lead(second.linkTo(other))).toBe('https://other.example.com/');
    expect(await lead(listener.linkTo(word))).toBe(signInPage);
    await second.close();
    expect(await status(`${path}?state=second`)).toBe(400);
    expect(await status(`${path}?state=good`)).toBe(200);
    // The address is released with the last one, and is available again at once.
    const closing = listener.close();
    listener = await receiver.listen({ host: '127.0.0.1', port }, handlers);
    await closing;
    await expectAlive();
    await listener.close();
    await expect(status(path)).rejects.toThrow();
  });

  it('serves sign-ins with `localhost` and with the literal on one port, each under its own name (AZ-20)', async () => {
    const callback = (query: string) => (query.includes('state=second') ? 'done' : 'not-valid');
    const second = await receiver.listen({ host: 'localhost', port }, { callback, link: () => 'not-valid' });
    const status = async (host: string, state: string) =>
      (await fetch(`http://${host}:${port}${path}?state=${state}`)).status;
    expect(await status('localhost', 'second')).toBe(200);
    expect(await status('127.0.0.1', 'good')).toBe(200);
    // A callback for one name is invalid under the other.
    expect(await status('localhost', 'good')).toBe(400);
    expect(await status('127.0.0.1', 'second')).toBe(400);
    expect(await status('[::1]', 'second')).toBe(421);
    await listener.close();
    expect(await status('127.0.0.1', 'good')).toBe(421);
    expect(await status('localhost', 'second')).toBe(200);
    listener = await receiver.listen({ host: '127.0.0.1', port }, handlers);
    await second.close();
    expect(await status('127.0.0.1', 'good')).toBe(200);
    expect(await status('127.0.0.1', 'second')).toBe(400);
  });

  it('listens on both address families for `localhost`, and responds only to that name (AZ-20)', async () => {
    await listener.close();
    listener = await receiver.listen({ host: 'localhost', port }, handlers);
    expect(listener.url).toBe(`http://localhost:${port}/integration/oauth/callback`);
    for (const host of ['127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${host}:${port}${path}?state=good`);
      expect(response.status).toBe(421);
    }
    expect((await fetch(`${listener.url}?state=good`)).status).toBe(200);
    expect(listener.linkTo(word)).toBe(`http://localhost:${port}/go/${word}`);
    for (const address of ['127.0.0.1', '[::1]']) {
      expect((await fetch(`http://${address}:${port}/go/${word}`)).status).toBe(421);
    }
    const led = await fetch(listener.linkTo(word), { redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([302, signInPage]);
  });

  it('rejects `localhost` while another program holds its other address family (AZ-20)', async () => {
    await listener.close();
    const squatter = createServer().listen(port, '::1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    await expect(receiver.listen({ host: 'localhost', port }, handlers)).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
    });
    await new Promise((resolve) => squatter.close(resolve));
    listener = await receiver.listen({ host: '127.0.0.1', port }, handlers);
    await expectAlive();
  });

  const own = () => `Host: 127.0.0.1:${port}\r\n`;
  const notGoing = [
    'Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image',
    'Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty',
    'Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe',
    'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: nested-navigate',
    'Sec-Fetch-Dest: object',
    'Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Mode: navigate',
    'Sec-Purpose: prefetch',
    'Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Purpose: prefetch;prerender',
    'Purpose: prefetch',
    'X-Moz: prefetch',
    'X-Purpose: preview',
  ];

  it.each(notGoing)('accepts no callback and no link unless the browser navigated there: %j', async (fields) => {
    for (const target of [`${path}?code=c&state=good`, `/go/${word}`]) {
      const response = await request(`GET ${target}`, `${own()}${fields}\r\n`);
      expect(statusOf(response)).toBe(403);
      expect(response).not.toContain('auth.example.com');
    }
    expect([queries, words]).toEqual([[], []]);
    await expectAlive();
  });

  it('accepts both from a browser that navigates there', async () => {
    const going = 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n';
    expect(statusOf(await request(`GET ${path}?code=c&state=good`, own() + going))).toBe(200);
    expect(statusOf(await request(`GET /go/${word}`, own() + going))).toBe(302);
  });

  it('redirects from a one-time link to the sign-in page, which learns nothing about the link', async () => {
    const response = await request(`GET /go/${word}`);
    expect(statusOf(response)).toBe(302);
    expect(response).toContain(`location: ${signInPage}\r\n`);
    expect(response.toLowerCase()).toContain('referrer-policy: no-referrer\r\n');
    expect(response.toLowerCase()).toContain('cache-control: no-store\r\n');
    expect(bodyOf(response)).toBe('');
    expect(words).toEqual([word]);
  });

  it('shows an error page if a one-time link has no target', async () => {
    expect(statusOf(await request(`GET /go/u${word.slice(1)}`))).toBe(410);
    expect(statusOf(await request(`GET /go/x${word.slice(1)}`))).toBe(400);
    for (const target of ['/go/', '/go', `/go/${word}w`, `/go/${word.slice(1)}`, `/go/${word}?x`, `/go/${word}/`]) {
      expect(statusOf(await request(`GET ${target}`))).toBe(404);
    }
    expect(words).toEqual([`u${word.slice(1)}`, `x${word.slice(1)}`]);
  });

  it('ignores a one-time link for another method or Host (AZ-14, AZ-15)', async () => {
    for (const method of ['HEAD', 'POST', 'OPTIONS']) {
      expect(statusOf(await request(`${method} /go/${word}`))).toBe(405);
    }
    expect(statusOf(await request(`GET /go/${word}`, `Host: evil.example:${port}\r\n`))).toBe(421);
    expect(statusOf(await request(`GET http://127.0.0.1:${port}/go/${word}`))).toBe(400);
    expect(words).toEqual([]);
  });

  it('uses the language that is set at the moment', async () => {
    await listener.close();
    let language: Language = 'de';
    listener = await createCallbackReceiver(() => language).listen({ host: '127.0.0.1', port }, handlers);
    for (language of ['de', 'en'] as const) {
      const page = bodyOf(await request(`GET ${path}?state=good`));
      expect(page).toContain(`lang="${language}"`);
      expect(page).toContain((language === 'de' ? germanWords : englishWords).done.sentence);
    }
  });

  it('can be closed twice, and its port can be bound again', async () => {
    await Promise.all([listener.close(), listener.close()]);
    await listener.close();
    listener = await receiver.listen({ host: '127.0.0.1', port }, handlers);
    await expectAlive();
  });
});
