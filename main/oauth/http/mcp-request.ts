import { product } from '../../../shared/product.ts';

/** The last revision that begins with `initialize`. */
export const latestSessionRevision = '2025-11-25';
/** All session revisions that have a schema, newest first. */
export const sessionRevisions = [latestSessionRevision, '2025-06-18', '2025-03-26', '2024-11-05'];
/** The stateless revision: every request carries its version and the client info. */
export const statelessRevision = '2026-07-28';

const metaPrefix = 'io.modelcontextprotocol/';

/** An MCP request as sent: one POST without credentials. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** MCP 2026-07-28, streamable HTTP: version in header and `_meta`, method in a header. */
export function createStatelessRequest(method: string): McpRequest {
  const _meta = {
    [`${metaPrefix}protocolVersion`]: statelessRevision,
    [`${metaPrefix}clientInfo`]: product,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  return createRequest(method, { _meta }, { 'mcp-protocol-version': statelessRevision });
}

/** Before 2026-07-28. Without a version header, a server assumes an old revision and does not refuse it for that. */
export function createSessionRequest(method: string): McpRequest {
  return createRequest(method, {}, {});
}

/** The handshake of every revision before 2026-07-28. */
export function createInitialize(): McpRequest {
  return createRequest(
    'initialize',
    { protocolVersion: latestSessionRevision, capabilities: {}, clientInfo: product },
    {},
  );
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

/**
 * The name of the first complete event in an event stream (WHATWG HTML 9.2.6), `message` if it has no name; `undefined`
 * if no event is complete yet.
 */
export function firstEventName(text: string): string | undefined {
  const blocks = text
    .replaceAll(/\r\n?/gu, '\n')
    .split('\n\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')));
  const first = blocks.find((lines) => lines.length > 0);
  if (first === undefined) return undefined;
  return (first.find((line) => line.startsWith('event:')) ?? 'event: message').slice('event:'.length).trim();
}

/** The first event of an HTTP+SSE stream (MCP 2024-11-05): the address that takes messages. */
export const endpointEvent = 'endpoint';
