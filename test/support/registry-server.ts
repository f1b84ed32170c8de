import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveHttp } from './loopback-server.ts';
import type { LoopbackServer } from './loopback-server.ts';

/** A published entry, which can contain anything. */
export type RegistryEntry = Readonly<Record<string, unknown>>;

export interface RegistryServer extends LoopbackServer {
  /** Searches in order, with the cursor of each page. */
  readonly searches: readonly { readonly words: string; readonly cursor: string | null; readonly target: string }[];
  /** Sets the published entries. */
  publish(...entries: readonly RegistryEntry[]): void;
  /** Replaces the responses until it is reset. */
  answer?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

export interface RegistryOptions {
  /** Entries per page, regardless of the request. */
  readonly pageSize?: number;
  /** Base path of the API. */
  readonly path?: string;
}

/** A list entry with one address. */
export function anEntry(
  name: string,
  url: string,
  server: RegistryEntry = {},
  meta: RegistryEntry = {},
): RegistryEntry {
  return {
    server: { name, version: '1.0.0', remotes: [{ type: 'streamable-http', url }], ...server },
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true, ...meta } },
  };
}

/** `GET /v0.1/servers` per the registry's OpenAPI (2025-12-01): search by name, cursors, `version=latest`, ETag. */
export async function startRegistry(options: RegistryOptions = {}): Promise<RegistryServer> {
  const { pageSize = 100, path = '' } = options;
  let published: readonly RegistryEntry[] = [];
  let edition = 0;
  const searches: { words: string; cursor: string | null; target: string }[] = [];
  const server = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry');
    const words = searchParams.get('search') ?? '';
    const cursor = searchParams.get('cursor');
    searches.push({ words, cursor, target: request.url ?? '' });
    if (own.answer) return own.answer(request, response);
    if (request.method !== 'GET' || pathname !== `${path}/v0.1/servers`) return void response.writeHead(404).end('{}');
    const etag = `"${edition}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    const fits = published.filter((entry) => nameOf(entry).toLowerCase().includes(words.toLowerCase()));
    const start = cursor === null ? 0 : Number(cursor.split(':')[1]);
    const limit = Math.min(pageSize, Number(searchParams.get('limit') ?? 30));
    const page = fits.slice(start, start + limit);
    const nextCursor = start + limit < fits.length ? `${nameOf(fits[start + limit])}:${start + limit}` : undefined;
    response.writeHead(200, { 'content-type': 'application/json', etag });
    response.end(JSON.stringify({ servers: page, metadata: { count: page.length, nextCursor } }));
  });
  const own: RegistryServer = {
    ...server,
    searches,
    publish(...entries) {
      published = entries;
      edition += 1;
    },
  };
  return own;
}

/** The replica returns every entry without a valid name. */
function nameOf(entry: RegistryEntry | undefined): string {
  const { name } = (entry?.['server'] ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** Sends this text as JSON. */
export function sendText(text: string): NonNullable<RegistryServer['answer']> {
  return (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}
