import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { parseExactly } from '../../main/mcp/messages/exact-json.ts';
import { serveHttp } from './loopback-server.ts';

/** Tool text that is unsafe for a terminal and loses information in any other form. */
export const oddText = 'tab\there\r\nid 12345678901234567890 1.0 \u001b[31mred\u202e é\n\n';
/** Valid JSON numbers that JavaScript would write differently. */
export const oddNumbers = ['12345678901234567890', '9007199254740993', '1.0', '-0', '1e400', '0.10000000000000000001'];
/** One red pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
export const bytes = Buffer.from([0, 255, 13, 10, 26, 1, 2]);

export interface CapabilitiesServer {
  readonly url: string;
  /** Arguments of received `echo` calls. */
  readonly echoed: readonly unknown[];
  /** Tool calls, as received. */
  readonly calls: readonly string[];
  /** `METHOD name` of received messages and requests. */
  readonly log: readonly string[];
}

/** A server with version 1 of the official SDK, without sign-in, that has one of every capability. */
export async function startCapabilitiesServer(): Promise<CapabilitiesServer> {
  const echoed: unknown[] = [];
  const calls: string[] = [];
  const log: string[] = [];
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      log.push(`${request.method} ${(body as { method?: string } | undefined)?.method ?? ''}`.trim());
      if (text.includes('"tools/call"')) calls.push(text);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      void createOffer(echoed)
        // With exactOptionalPropertyTypes, the SDK's class does not match its own interface.
        .connect(transport as Parameters<McpServer['connect']>[0])
        .then(() => transport.handleRequest(request, response, body));
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: `${server.origin}/mcp`, echoed, calls, log };
}

function createOffer(echoed: unknown[]): McpServer {
  const offer = new McpServer({ name: 'offer', version: '1' });
  offer.registerTool('odd', { description: 'Says something odd.' }, () => ({
    content: [{ type: 'text', text: oddText }],
  }));
  offer.registerTool(
    'echo',
    {
      title: 'Echo',
      inputSchema: {
        text: z.string().describe('The text to return.'),
        count: z.number().int().optional().describe('How often.'),
        deep: z.object({ a: z.array(z.number()) }).optional(),
      },
    },
    (input) => {
      echoed.push(input);
      return { content: [{ type: 'text', text: JSON.stringify(input) }] };
    },
  );
  offer.registerTool('numbers', {}, () => ({
    content: [],
    structuredContent: parseExactly(`{"ids":[${oddNumbers.join(',')}]}`) as Record<string, unknown>,
  }));
  offer.registerTool('fail', {}, () => ({ content: [{ type: 'text', text: 'It broke\there.' }], isError: true }));
  const image = { type: 'image', mimeType: 'image/png', data: picture.toString('base64') } as const;
  offer.registerTool('draw', {}, () => ({ content: [image] }));
  offer.registerTool('album', {}, () => ({ content: [{ type: 'text', text: 'Two of them' }, image, image] }));
  offer.registerResource('blob', 'notes://blob', {}, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'application/x-odd', blob: bytes.toString('base64') }],
  }));
  offer.registerResource(
    'day',
    new ResourceTemplate('notes://{year}/{day}', {
      list: undefined,
      complete: { day: (prefix) => ['monday', 'tuesday'].filter((day) => day.startsWith(prefix)) },
    }),
    {},
    (uri, { year, day }) => ({ contents: [{ uri: uri.href, text: `${String(day)} of ${String(year)}` }] }),
  );
  offer.registerPrompt(
    'plan',
    {
      argsSchema: {
        city: completable(z.string(), (prefix) => ['Paris', 'Porto', 'Rome'].filter((city) => city.startsWith(prefix))),
        days: z.string().optional(),
      },
    },
    ({ city, days }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Plan\t${city} ${days ?? ''}` } }],
    }),
  );
  offer.registerPrompt('sketch', {}, () => ({
    messages: [
      { role: 'user', content: { type: 'text', text: 'Like this:' } },
      { role: 'user', content: image },
    ],
  }));
  return offer;
}
