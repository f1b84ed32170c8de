import { connect } from 'node:net';
import * as fc from 'fast-check';
import { callbackPages, callbackPath, createCallbackReceiver } from '../../main/net/callback-listener.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { hostileText } from './hostile-values.ts';
import { assert } from './typed.ts';

const request = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'GET\t', ''),
  target: fc.oneof(
    fc.constantFrom(
      callbackPath,
      `${callbackPath}/`,
      `//evil${callbackPath}`,
      `http://evil${callbackPath}`,
      '*',
      '/',
      `${callbackPath}%00`,
    ),
    hostileText,
  ),
  query: fc.oneof(
    fc.constantFrom('', '?', '?state=x&code=y', '?a=1#b'),
    hostileText.map((text) => `?${text}`),
  ),
  host: fc.constantFrom('right', 'right', 'right', 'evil.example', 'localhost', '127.0.0.1', 'missing', 'twice'),
  more: fc.array(
    fc.tuple(
      fc.constantFrom('origin', 'cookie', 'upgrade', 'expect', 'content-length', 'transfer-encoding', 'x'),
      hostileText,
    ),
    { maxLength: 3 },
  ),
});

/** Arbitrary bytes to the callback port. */
export const listenerTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'the callback listener accepts only well-formed callbacks, responds with fixed text, and survives (AZ-18)',
    cost: 200,
    input: request,
    async holds({ method, target, query, host, more }) {
      const receiver = createCallbackReceiver();
      const port = await receiver.freePort();
      const queries: string[] = [];
      const words: string[] = [];
      const listener = await receiver.listen(
        { host: '127.0.0.1', port },
        {
          callback: (raw) => (queries.push(raw), 'not-valid'),
          link: (word) => (words.push(word), 'not-valid'),
        },
      );
      try {
        const right = `host: 127.0.0.1:${port}\r\n`;
        const hosts = { right, missing: '', twice: right + right };
        const hostLine = host in hosts ? hosts[host as keyof typeof hosts] : `host: ${host}\r\n`;
        const fields = more.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const response = await exchange(
          port,
          `${method} ${target}${query} HTTP/1.1\r\n${hostLine}${fields}connection: close\r\n\r\n`,
        );
        if (queries.length > 0)
          assert(
            method === 'GET' && host === 'right' && target.startsWith(callbackPath),
            'a request that is no callback',
          );
        for (const word of words) assert(target === `/go/${word}` && word.length === 43, 'a request that is no link');
        const body = response.slice(response.indexOf('\r\n\r\n') + 4);
        const pages = Object.values(callbackPages.en).map((page) => page.toString('latin1'));
        // Node itself rejects some requests, with an empty body (chunked or not).
        assert(
          ['', '0\r\n\r\n', ...pages].includes(body) || !response.includes('\r\n\r\n'),
          `other words: ${response}`,
        );
        assert(!/access-control|set-cookie/i.test(response), 'a field that is not ours');
        queries.length = 0;
        await exchange(port, `GET ${callbackPath}?state=right HTTP/1.1\r\n${right}connection: close\r\n\r\n`);
        assert(queries.join() === 'state=right', 'the right callback is not served any more');
      } finally {
        await listener.close();
      }
    },
  }),
];

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(Buffer.from(text, 'utf8')));
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}
