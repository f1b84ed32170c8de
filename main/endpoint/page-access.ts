import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProgramAnswer } from '../gateway-ports.ts';

/** Fields of MCP that a browser asks about before a page may send them. */
const sent =
  /^(?:accept|authorization|content-type|last-event-id|mcp-(?:method|name|protocol-version|session-id|param-[a-z0-9-]{1,64}))$/;

/** Lets the browser show the page of this origin, and no other, what is answered (Fetch standard, section 3.2). */
export function showToPage(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, retry-after, www-authenticate');
  response.setHeader('vary', 'Origin');
}

/** What a browser asks before it sends the request of a page; such a question shows no secret. */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

export function answerPreflight({ headers }: Pick<IncomingMessage, 'headers'>): ProgramAnswer {
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': names.filter((name) => sent.test(name)).join(', '),
    },
  };
}
