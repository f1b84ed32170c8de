import type { WireEra } from '../../shared/integration.ts';
import { product } from '../../shared/product.ts';

/** How Postern introduces itself to a server. */
export const implementation = { name: 'postern', title: 'Postern', version: product.version };
export const modernVersion = '2026-07-28';
const legacyVersion = '2025-11-25';
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that opens a connection on either wire, byte for byte as the MCP library writes it. */
const firstQuestions: Readonly<Record<WireEra, Question>> = {
  legacy: {
    headers: json,
    body: JSON.stringify({
      method: 'initialize',
      params: { protocolVersion: legacyVersion, capabilities: {}, clientInfo: implementation },
      jsonrpc: '2.0',
      id: 0,
    }),
  },
  modern: {
    headers: { ...json, 'mcp-method': 'server/discover', 'mcp-protocol-version': modernVersion },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'server-discover-probe-1',
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modernVersion,
          'io.modelcontextprotocol/clientInfo': implementation,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  },
};

/**
 * Asks a server whose wire is known its first question now, and hands the answer over when the MCP library, which takes
 * as long to load as a distant server to answer, asks the same. A failure counts when it does.
 */
export function askFirst(fetch: typeof globalThis.fetch, url: string, era: WireEra, signal: AbortSignal): typeof fetch {
  const { headers, body } = firstQuestions[era];
  let answer: Promise<Response> | undefined = fetch(url, { method: 'POST', headers, body, signal });
  answer.catch(() => {});
  return async (input, init) => {
    if (answer === undefined || init?.body !== body) return await fetch(input, init);
    const first = answer;
    answer = undefined;
    return await first;
  };
}
