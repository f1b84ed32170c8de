import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createConnection } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpEndpoint } from '../../main/net/endpoint/http-endpoint.ts';
import { freePort } from './free-port.ts';
import type { ServedGateway } from './served-gateway.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpEndpoint {
  readonly port: number;
  /** A raw request; default: POST of `{}`. */
  send(headers: OutgoingHttpHeaders, what: { path: string; body?: string; method?: string }): Promise<HttpReply>;
  /** Sends raw bytes and returns everything received until the other side closes. */
  write(text: string): Promise<string>;
}

/** The HTTP endpoint of a served gateway; closed after the test. */
export async function openHttpEndpoint(
  { gateway }: Pick<ServedGateway, 'gateway'>,
  allowedOrigin?: string,
): Promise<HttpEndpoint> {
  const port = await freePort();
  const endpoint = createHttpEndpoint({
    port,
    admit: (secret, alias) => gateway.admitBearer(secret, alias),
    allowedOrigin: async () => allowedOrigin,
  });
  await endpoint.listen();
  onTestFinished(() => endpoint.close());
  return {
    port,
    send: (headers, { path, body = '{}', method = 'POST' }) =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        });
        request.once('error', reject);
        request.end(method === 'POST' ? body : undefined);
      }),
    write: (text) =>
      new Promise((resolve) => {
        let received = '';
        const socket = createConnection(port, '127.0.0.1');
        socket.on('error', () => {}).once('close', () => resolve(received));
        socket.setEncoding('utf8').on('data', (part: string) => (received += part));
        socket.end(text);
      }),
  };
}

/** An app's secret, with what its record stores. */
export function someSecret(): { readonly secret: string; readonly secretHash: string; readonly authorization: string } {
  const secret = randomBytes(24).toString('base64url');
  const secretHash = createHash('sha256').update(secret).digest('hex');
  return { secret, secretHash, authorization: `Bearer ${secret}` };
}

/** The messages of a response, either JSON or an event stream. */
export function messagesOf(text: string): readonly { readonly method?: string }[] {
  const isStream = /^(?:id|data|retry): /u.test(text);
  const events = isStream ? [...text.matchAll(/^data: (.+)$/gmu)].map(([, data = '']) => data) : [text];
  return events.filter((each) => each !== '').map((each) => JSON.parse(each) as { method?: string });
}
