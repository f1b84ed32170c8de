import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Handshake } from '../../../shared/integration.ts';
import { product } from '../../../shared/product.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { legacyVersion, modernVersion } from '../../oauth/wire/mcp-request.ts';
import type { McpFetch } from '../http/mcp-endpoint.ts';

/** How Postern introduces itself to a server. */
export const implementation = { name: 'postern', title: 'Postern', version: product.version };
/** What we say of ourselves where a person can be asked (MCP 2025-11-25, elicitation, capabilities). */
export const askingCapabilities = { elicitation: { form: {}, url: {} } } as const;
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that opens a connection on either wire, byte for byte as the MCP library writes it. */
const firstQuestions = (capabilities: ClientCapabilities): Readonly<Record<Handshake, Question>> => ({
  legacy: {
    headers: json,
    body: JSON.stringify({
      method: 'initialize',
      params: { protocolVersion: legacyVersion, capabilities, clientInfo: implementation },
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
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  },
});

/**
 * Asks a server the first question of each wire that it may speak now, and hands the answers over when the MCP library
 * asks the same: loading and starting that takes as long as a distant server to answer. A failure counts when it does.
 */
export function askFirst(
  fetch: McpFetch,
  url: CheckedAddress,
  eras: readonly Handshake[],
  signal: AbortSignal,
  capabilities: ClientCapabilities = {},
): { readonly fetch: McpFetch; readonly settled: Promise<unknown> } {
  const questions = firstQuestions(capabilities);
  const asked = new Map(
    eras.map((era) => {
      const { headers, body } = questions[era];
      const end = new AbortController();
      const ending = AbortSignal.any([signal, end.signal]);
      return [body, { end, answer: fetch(url, { method: 'POST', headers, body, signal: ending }) }] as const;
    }),
  );
  return {
    settled: Promise.allSettled([...asked.values()].map(({ answer }) => answer)),
    async fetch(address, init) {
      const body = typeof init?.body === 'string' ? init.body : '';
      const first = asked.get(body);
      if (!first) return await fetch(address, init);
      asked.delete(body);
      // From here on it is the library's: an answer whose stream stays open ends with the connection.
      const follow = (): void => first.end.abort(init?.signal?.reason);
      if (init?.signal?.aborted) follow();
      init?.signal?.addEventListener('abort', follow, { once: true });
      return await first.answer;
    },
  };
}
