import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { ProtocolForm } from '../../../shared/integration.ts';
import { product } from '../../../shared/product.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { latestSessionRevision, statelessRevision } from '../../oauth/http/mcp-request.ts';
import type { McpFetch } from '../http/mcp-endpoint.ts';

/** Client info that Postern sends to servers. */
export const clientInfo = { name: 'postern', title: 'Postern', version: product.version };
/** Client capabilities if the user can be asked (MCP 2025-11-25, elicitation, capabilities). */
export const elicitationCapabilities = { elicitation: { form: {}, url: {} } } as const;
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface OpeningRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The opening request on either protocol form, byte for byte as the MCP library writes it. */
const openingRequests = (capabilities: ClientCapabilities): Readonly<Record<ProtocolForm, OpeningRequest>> => ({
  session: {
    headers: jsonHeaders,
    body: JSON.stringify({
      method: 'initialize',
      params: { protocolVersion: latestSessionRevision, capabilities, clientInfo },
      jsonrpc: '2.0',
      id: 0,
    }),
  },
  stateless: {
    headers: { ...jsonHeaders, 'mcp-method': 'server/discover', 'mcp-protocol-version': statelessRevision },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'server-discover-probe-1',
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': statelessRevision,
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  },
});

/**
 * Sends the opening request of each possible protocol form now, and returns the responses when the MCP library sends
 * the same requests: loading and starting the library takes as long as a distant server needs to respond. Failures
 * surface then, too.
 */
export function sendOpeningRequests(
  fetch: McpFetch,
  url: CheckedAddress,
  forms: readonly ProtocolForm[],
  signal: AbortSignal,
  capabilities: ClientCapabilities = {},
): { readonly fetch: McpFetch; readonly settled: Promise<unknown> } {
  const requests = openingRequests(capabilities);
  const pending = new Map(
    forms.map((protocol) => {
      const { headers, body } = requests[protocol];
      const end = new AbortController();
      const ending = AbortSignal.any([signal, end.signal]);
      return [body, { end, response: fetch(url, { method: 'POST', headers, body, signal: ending }) }] as const;
    }),
  );
  return {
    settled: Promise.allSettled([...pending.values()].map(({ response }) => response)),
    async fetch(address, init) {
      const body = typeof init?.body === 'string' ? init.body : '';
      const first = pending.get(body);
      if (!first) return await fetch(address, init);
      pending.delete(body);
      // From here on it belongs to the library: an open stream ends with the connection.
      const follow = (): void => first.end.abort(init?.signal?.reason);
      if (init?.signal?.aborted) follow();
      init?.signal?.addEventListener('abort', follow, { once: true });
      return await first.response;
    },
  };
}
