import { Agent, request as httpRequest } from 'node:http';
import { NotMeasured } from '../measured-process.ts';
import { idOf, initializeParams, longest } from './app.ts';
import type { App } from './app.ts';

/** A minimal streamable HTTP app, the same for the server and the gateway. */
export async function openHttpApp(address: string, authorization: string): Promise<App> {
  const agent = new Agent({ keepAlive: true });
  let session: string | undefined;
  let last = 0;

  function send(method: 'POST' | 'DELETE', body?: string): Promise<{ head: string; tail: string; session?: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization,
        ...(body !== undefined && {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
        }),
        ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      };
      const request = httpRequest(address, { method, agent, headers, timeout: longest }, (response) => {
        let head = '';
        let tail = '';
        response.on('data', (chunk: Buffer) => {
          if (head.length < 512) head += chunk.toString('latin1', 0, 512 - head.length);
          tail = `${tail}${chunk.toString('latin1', Math.max(0, chunk.length - 512))}`.slice(-512);
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 300) return reject(new Error(`${statusCode}: ${head}`));
          const id = response.headers['mcp-session-id'];
          resolve({ head, tail, ...(typeof id === 'string' && { session: id }) });
        });
      });
      request.on('timeout', () => request.destroy(new NotMeasured('no answer', [])));
      request.on('error', reject);
      request.end(body);
    });
  }

  async function ask(method: string, params: object = {}): Promise<number> {
    const id = (last += 1);
    const since = performance.now();
    const response = await send('POST', JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const milliseconds = performance.now() - since;
    const isError = /"error":|dev\.postern\/error/u.test(response.head + response.tail);
    if (idOf(response.head, response.tail) !== id || isError) throw new Error(`${method}: ${response.head}`);
    session ??= response.session;
    return milliseconds;
  }

  await ask('initialize', initializeParams);
  await send('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return {
    ask,
    pid: undefined,
    async close() {
      await send('DELETE').catch(() => {});
      agent.destroy();
    },
  };
}
