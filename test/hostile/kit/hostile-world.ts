import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { serveHttps } from '../../support/loopback-server.ts';
import type { LoopbackServer } from '../../support/loopback-server.ts';
import { createCanaries } from './canaries.ts';
import { honest } from './honest-answers.ts';
import type { Behavior, Place, Scene } from './honest-answers.ts';

/** Names that the test certificate covers, and one that it does not. All resolve to this machine. */
export const names = { mcp: 'mcp.test', auth: 'auth.test', elsewhere: 'evil.test' } as const;

/** The same three as a separate app process can reach them, with this machine's resolver. */
export const loopback = { mcp: 'localhost', auth: '127.0.0.1', elsewhere: '127.0.0.1' } as const;

export interface HostileWorld extends Scene {
  readonly sites: Readonly<Record<keyof typeof names, LoopbackServer>>;
  readonly mcpUrl: string;
  /** Responds differently at one endpoint from now on. */
  set(place: Place, behavior: Behavior): void;
  /** How many requests an endpoint has received. */
  count(place: Place): number;
}

/**
 * An MCP server, its authorization server and a third host, all over https on this machine; gone after the test.
 * `called`: the names under which they name themselves and each other.
 */
export async function startWorld(
  changes: Partial<Record<Place, Behavior>> = {},
  called: Readonly<Record<keyof typeof names, string>> = names,
): Promise<HostileWorld> {
  const behaviors: Record<Place, Behavior> = { ...honest, ...changes };
  const counts = new Map<Place, number>();
  const canaries = createCanaries();
  const origins = { mcp: '', auth: '', elsewhere: '' };
  const scene: Scene = { origins, canaries };

  const listen = (where: keyof typeof names): RequestListener => {
    return (request, response) => {
      let body = '';
      response.on('error', () => {});
      request.on('error', () => {});
      request.setEncoding('latin1').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const place = placeOf(where, request, body);
        if (place === undefined) return void response.writeHead(404).end();
        counts.set(place, (counts.get(place) ?? 0) + 1);
        behaviors[place]({ request, response, body, scene });
      });
    };
  };
  const sites = {
    mcp: await serveHttps(listen('mcp')),
    auth: await serveHttps(listen('auth')),
    elsewhere: await serveHttps((_request, response) => void response.end(canaries.taunt)),
  };
  for (const where of ['mcp', 'auth', 'elsewhere'] as const) {
    origins[where] = `https://${called[where]}:${sites[where].port}`;
    onTestFinished(() => sites[where][Symbol.asyncDispose]());
  }
  return {
    ...scene,
    sites,
    mcpUrl: `${origins.mcp}/mcp`,
    set: (place, behavior) => void (behaviors[place] = behavior),
    count: (place) => counts.get(place) ?? 0,
  };
}

function placeOf(where: keyof typeof names, request: IncomingMessage, body: string): Place | undefined {
  const path = request.url?.split('?')[0] ?? '';
  if (where === 'mcp') {
    if (path === '/mcp') return 'mcp';
    // Both forms, so that no fallback replaces the hostile one.
    return path.startsWith('/.well-known/oauth-protected-resource') ? 'prm' : undefined;
  }
  if (where !== 'auth') return undefined;
  if (path.startsWith('/.well-known/')) return 'asm';
  if (path === '/token') return body.includes('grant_type=refresh_token') ? 'refresh' : 'token';
  const known = { '/register': 'register', '/authorize': 'authorize', '/revoke': 'revoke' } as const;
  return known[path as keyof typeof known];
}
