import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { unlimited } from '../../main/gateway-ports.ts';
import type { Hello, AppRequest } from '../../main/gateway-ports.ts';
import { unusableText } from '../../main/gateway/responses/responses.ts';
import { cancelledId, onOneLine, readEnvelope, withId, withIdOf } from '../../main/gateway/messages/envelope.ts';
import { JsonTokens } from '../../main/json-tokens.ts';
import { EventStream } from '../../main/mcp/messages/message-body.ts';
import { idKey, matchesId } from '../../main/mcp/messages/message-headers.ts';
import { MessageLines } from '../../main/message-lines.ts';
import { createHttpEndpoint } from '../../main/net/endpoint/http-endpoint.ts';
import { createSocketEndpoint } from '../../main/net/endpoint/socket-endpoint.ts';
import { freePort } from '../support/free-port.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { hostileJson, hostileText } from './hostile-values.ts';
import { jsonText } from './message-texts.ts';
import { assert } from './typed.ts';

const limit = 200;
const pieces = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 90 }),
    fc.constantFrom('\n', '\r\n', '{', '"\n').map((text) => Buffer.from(text)),
  ),
  {
    maxLength: 12,
  },
);

/** The lines of the whole input at once. */
function linesOf(bytes: Buffer): readonly { readonly text: string; readonly isTooLong: boolean }[] {
  const parts = bytes.toString('latin1').split('\n').slice(0, -1);
  return parts
    .map((text) => ({ isTooLong: text.length > limit, text: text.replace(/\r$/u, '') }))
    .filter(({ text }) => text !== '');
}

const methods = fc.constantFrom('POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'CONNECT', 'post', '');
const head = fc.record({
  method: methods,
  target: fc.oneof(
    fc.constantFrom(
      '/mcp/notes',
      '/mcp/notes',
      '/mcp/notes',
      '/mcp/notes/',
      '//evil/mcp/notes',
      'http://evil/mcp/notes',
      '/mcp/NOTES',
      '*',
    ),
    hostileText,
  ),
  host: fc.constantFrom('right', 'right', 'right', 'evil.example', '127.0.0.1', 'missing', 'twice'),
  secret: fc.oneof(
    fc.constantFrom('Bearer right', 'Bearer right', 'bearer right', 'Bearer  right', 'Basic right', ''),
    hostileText,
  ),
  more: fc.array(
    fc.tuple(
      fc.constantFrom('origin', 'cookie', 'upgrade', 'expect', 'content-length', 'transfer-encoding', 'mcp-session-id'),
      hostileText,
    ),
    { maxLength: 3 },
  ),
});

const eventLine = fc.oneof(
  fc.constantFrom(
    '',
    '',
    'data',
    'data:',
    'data: {"id":1}',
    'event: message',
    'id: 7',
    'retry: 20',
    ': c',
    '\ufeffdata: x',
  ),
  fc.string({ maxLength: 12 }).map((text) => `data: ${text}`.replaceAll(/[\r\n]/gu, '')),
  hostileText.map((text) => text.replaceAll(/[\r\n]/gu, '')),
);

/** The events of a stream that arrives in pieces of `step` bytes. */
function eventsOf(bytes: Buffer, step: number): string {
  const stream = new EventStream();
  let received = '';
  for (let at = 0; at < bytes.byteLength; at += step) {
    for (const part of stream.take(bytes.subarray(at, at + step))) {
      if (part.kind === 'data') received += Buffer.from(part.bytes).toString('hex');
      else received += part.kind === 'end' ? '.' : `[${part.name}=${part.value.toString('hex')}]`;
    }
  }
  return received;
}

/** Input from apps, pipes and pages to the gateway, and from servers to apps. */
export const gatewayTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: "an app's lines are split at line ends, however they are chunked",
    input: pieces,
    holds(chunks) {
      const lines = new MessageLines(limit);
      const found = chunks.flatMap((chunk) => [...lines.feed(Buffer.from(chunk))]);
      const expected = linesOf(Buffer.concat(chunks));
      assert(found.length === expected.length, `${found.length} lines, not ${expected.length}`);
      for (const [index, { bytes, isTooLong }] of found.entries()) {
        const { text, isTooLong: shouldBe } = expected[index] ?? { text: '', isTooLong: false };
        assert(isTooLong === shouldBe, `${text}: too long`);
        assert(bytes.toString('latin1') === text, `another line: ${text}`);
      }
    },
  }),
  fuzzTarget({
    name: 'JSON tokens are the same however they are chunked, and valid exactly if the engine accepts them',
    input: fc.record({ text: fc.oneof(jsonText, hostileText), size: fc.integer({ min: 1, max: 300 }) }),
    holds({ text, size }) {
      const bytes = Buffer.from(text);
      const whole = new JsonTokens(bytes);
      const inPieces = new JsonTokens();
      const read = (tokens: JsonTokens): readonly string[] => {
        const found: string[] = [];
        while (tokens.next()) if (tokens.end - tokens.start < 256) found.push(`${tokens.depth} ${tokens.raw}`);
        return found;
      };
      const expected = read(whole);
      let isJson = true;
      try {
        JSON.parse(bytes.toString());
      } catch {
        isJson = false;
      }
      assert(whole.isJson === isJson, `JSON or not: ${text}`);
      // A number of this length is read in parts.
      if (!isJson || /[\d.eE+-]{200}/u.test(text)) return;
      const found: string[] = [];
      for (let at = 0; at < bytes.byteLength; at += size) {
        inPieces.feed(bytes.subarray(at, at + size));
        found.push(...read(inPieces).filter((each) => !each.endsWith(' ')));
      }
      inPieces.feed(Buffer.from('\n'));
      found.push(...read(inPieces));
      assert(found.join('\n') === expected.filter((each) => !each.endsWith(' ')).join('\n'), `other tokens: ${text}`);
    },
  }),
  fuzzTarget({
    name: 'an event stream gives the same events with any chunking and line ends (WHATWG HTML 9.2.6)',
    input: fc.record({ lines: fc.array(eventLine, { maxLength: 12 }), size: fc.integer({ min: 1, max: 40 }) }),
    holds({ lines, size }) {
      const [expected = '', ...others] = ['\n', '\r\n', '\r'].flatMap((end) => {
        const bytes = Buffer.from(lines.map((line) => `${line}${end}`).join(''));
        return [bytes.byteLength + 1, size].map((step) => eventsOf(bytes, step));
      });
      for (const each of others) assert(each === expected, `other events: ${each}, not ${expected}`);
    },
  }),
  fuzzTarget({
    name: 'a message is passed on unchanged or rejected with an error, and its ID is read correctly',
    input: fc.oneof(
      jsonText,
      hostileText,
      hostileJson.map((value) => JSON.stringify(value) ?? ''),
    ),
    holds(text) {
      const bytes = Buffer.from(text);
      const envelope = readEnvelope(bytes);
      if (envelope.kind === 'unusable') {
        const refused = JSON.parse(unusableText(envelope.id, envelope.reason)) as { error?: { code?: unknown } };
        assert(typeof refused.error?.code === 'number', `no refusal of ${text}`);
        return;
      }
      assert(envelope.bytes.equals(bytes), `changed: ${text}`);
      assert(!/[\r\n]/u.test(onOneLine(bytes).toString()), `several lines: ${text}`);
      if (envelope.kind === 'notification') return;
      const other = readEnvelope(withId(envelope, '"other"'));
      assert(other.kind === envelope.kind && idKey(other.id) === 'other', `another id in ${text}`);
      assert(
        JSON.stringify(JSON.parse(envelope.id)) === JSON.stringify((JSON.parse(text) as { id?: unknown }).id),
        `its id in ${text}`,
      );
      if (envelope.kind !== 'request') return;
      // As a JavaScript server writes it, and as a server that turns all IDs into strings.
      const id: unknown = JSON.parse(envelope.id);
      for (const back of id === Infinity || id === -Infinity ? [] : [id, String(id)]) {
        const response = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: back, result: {} })));
        assert(
          response.kind === 'response' && matchesId(response.id, envelope.id),
          `${envelope.id} comes back as ${JSON.stringify(back)}`,
        );
        assert(withIdOf(envelope, response).id === envelope.id, `the id ${envelope.id} is not the program's`);
      }
      const cancellation = `{"method":"notifications/cancelled","params":{"requestId":${envelope.id}}}`;
      assert(idKey(cancelledId(Buffer.from(cancellation))) === idKey(envelope.id), `${envelope.id} is not cancelled`);
    },
  }),
  fuzzTarget({
    name: 'the socket opens a session only for a hello, and closes on anything else (GW-06)',
    cost: 200,
    input: fc.oneof(
      hostileText,
      hostileJson.map((value) => JSON.stringify({ postern: 1, open: value }) ?? ''),
      hostileJson.map((value) => JSON.stringify({ postern: 1, open: { server: value, app: value } })),
    ),
    async holds(text) {
      const folder = mkdtempSync(path.join(tmpdir(), 'postern-fuzz-'));
      const hellos: Hello[] = [];
      const socketPath = path.join(folder, 'run', 'gateway.sock');
      const endpoint = createSocketEndpoint({
        path: socketPath,
        open: async (hello, { hangUp }) => {
          hellos.push(hello);
          hangUp();
          const nothing = async (): Promise<void> => {};
          return {
            reading: unlimited,
            receive: nothing,
            refuseOversized: nothing,
            drain: nothing,
            isIdle: true,
            close: nothing,
          };
        },
      });
      await endpoint.listen();
      try {
        assert((await exchange({ path: socketPath }, `${text}\n`)) === '', 'it was answered');
        for (const { server, app = '' } of hellos) {
          assert(server.length > 0 && server.length <= 256 && app.length <= 256, 'a hello out of bounds');
        }
      } finally {
        await endpoint.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  }),
  fuzzTarget({
    name: 'the HTTP endpoint accepts only requests with the right host and secret, and reveals nothing to others (GW-01, GW-02)',
    cost: 200,
    input: head,
    async holds({ method, target, host, secret, more }) {
      const port = await freePort();
      const handed: AppRequest[] = [];
      const endpoint = createHttpEndpoint({
        port,
        admit: async (shown) =>
          shown === 'right'
            ? {
                kind: 'admitted',
                app: 'one',
                openReading: () => unlimited,
                respond: async (request) => (handed.push(request), { status: 200, headers: {}, body: 'handed on' }),
              }
            : { kind: 'unknown' },
      });
      await endpoint.listen();
      try {
        const right = `host: 127.0.0.1:${port}\r\n`;
        const hosts = { right, missing: '', twice: right + right };
        const hostLine = host in hosts ? hosts[host as keyof typeof hosts] : `host: ${host}\r\n`;
        const fields = more.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const text = `${method} ${target} HTTP/1.1\r\n${hostLine}authorization: ${secret}\r\n${fields}connection: close\r\n\r\n`;
        const response = await exchange({ host: '127.0.0.1', port }, text);
        assert(!/access-control|set-cookie/iu.test(response), 'a field that is not ours');
        const isOwn = ['right', 'twice'].includes(host) || more.some(([, value]) => value.includes(right.trim()));
        if (handed.length > 0) assert(isOwn && !more.some(([name]) => name === 'origin'), `handed on: ${text}`);
        assert(handed.length > 0 || !response.includes('handed on'), 'answered by nobody');
        handed.length = 0;
        await exchange(
          { host: '127.0.0.1', port },
          `DELETE /mcp/notes HTTP/1.1\r\n${right}authorization: Bearer right\r\nconnection: close\r\n\r\n`,
        );
        assert(handed.length === 1, 'the right request is not served any more');
      } finally {
        await endpoint.close();
      }
    },
  }),
];

function exchange(
  place: { readonly path: string } | { readonly host: string; readonly port: number },
  text: string,
): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(place, () => socket.end(Buffer.from(text, 'utf8')));
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}
