import { product } from '../../../shared/product.ts';

/** The last revision that begins with `initialize`. */
export const legacyVersion = '2025-11-25';
/** The stateless revision: every request carries its version and who we are. */
export const modernVersion = '2026-07-28';

const metaPrefix = 'io.modelcontextprotocol/';

/** An MCP request as it goes on the wire: one POST without any credential. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** MCP 2026-07-28, streamable HTTP: version in header and `_meta`, method in a header. */
export function createModernRequest(method: string): McpRequest {
  const _meta = {
    [`${metaPrefix}protocolVersion`]: modernVersion,
    [`${metaPrefix}clientInfo`]: product,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  return createRequest(method, { _meta }, { 'mcp-protocol-version': modernVersion });
}

/** Before 2026-07-28. Without a version header a server takes the oldest revision, so none refuses it for that. */
export function createLegacyRequest(method: string): McpRequest {
  return createRequest(method, {}, {});
}

/** The handshake of every revision before 2026-07-28. */
export function createInitialize(): McpRequest {
  return createRequest('initialize', { protocolVersion: legacyVersion, capabilities: {}, clientInfo: product }, {});
}

function createRequest(method: string, params: object, headers: Readonly<Record<string, string>>): McpRequest {
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}
