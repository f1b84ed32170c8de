import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import { afterTest } from './after-test.ts';

export const elicitedForm = {
  message: 'Where shall the parcel go?',
  requestedSchema: {
    type: 'object',
    properties: {
      street: { type: 'string', title: 'Street', minLength: 3 },
      mail: { type: 'string', format: 'email', description: 'Where news of it go' },
      floor: { type: 'integer', minimum: 0, maximum: 9, default: 2 },
      gift: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    },
    required: ['street', 'size'],
  },
} as const;

export const elicitedPage = { message: 'Pay on our page.', url: 'https://pay.example/order?id=1' } as const;

interface ElicitationServer {
  readonly url: string;
  /** The elicitation capabilities in each request, oldest first. */
  readonly capabilities: unknown[];
}

interface ElicitationOptions {
  readonly opensLate?: boolean;
  /** Replaces `elicitedPage`. */
  readonly page?: { readonly url?: string };
}

/**
 * A server with version 1 of the official SDK and sessions, whose tools send requests: a form, a page, sampling, roots.
 * With `opensLate` its listening stream opens only long after a call that did not wait for it has arrived.
 */
export async function startElicitationServer({
  opensLate = false,
  page = {},
}: ElicitationOptions = {}): Promise<ElicitationServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const capabilities: unknown[] = [];
  const server = createServer((request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (request.url === '/again') return void response.end();
    const transport = known ?? newSession();
    const handle = () => transport.handleRequest(request, response).catch(() => response.end());
    void (opensLate && request.method === 'GET' ? runOneRound().then(handle) : handle());
  });
  /** As long as many requests take, on a computer of any speed. */
  const runOneRound = async () => {
    for (let round = 0; round < 40; round += 1) await (await fetch(`${origin}/again`)).text();
  };
  function newSession(): StreamableHTTPServerTransport {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const mcp = new FirstServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
    const jsonResult = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
    mcp.server.oninitialized = () => void capabilities.push(mcp.server.getClientCapabilities());
    mcp.registerTool('form', {}, async () => jsonResult(await mcp.server.elicitInput(elicitedForm as never)));
    mcp.registerTool('related', {}, async ({ requestId }) =>
      jsonResult(await mcp.server.elicitInput(elicitedForm as never, { relatedRequestId: requestId })),
    );
    mcp.registerTool('page', {}, async () =>
      jsonResult(await mcp.server.elicitInput({ mode: 'url', elicitationId: 'one', ...elicitedPage, ...page })),
    );
    let isPaid = false;
    mcp.registerTool('paid', {}, async () => {
      if (isPaid) return jsonResult('paid');
      isPaid = true;
      throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: 'two', ...elicitedPage }]);
    });
    const refusal = (error: unknown) => jsonResult({ code: (error as { code?: number }).code });
    mcp.registerTool('sample', {}, async () =>
      mcp.server
        .request({ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }, anything)
        .then(jsonResult, refusal),
    );
    mcp.registerTool('roots', {}, async () =>
      mcp.server.request({ method: 'roots/list' }, anything).then(jsonResult, refusal),
    );
    mcp.registerTool('ping', {}, async () => jsonResult(await mcp.server.ping()));
    mcp.registerTool('undeclared', {}, async () =>
      mcp.server
        .request({ method: 'elicitation/create', params: elicitedForm as never }, anything)
        .then(jsonResult, refusal),
    );
    void mcp.connect(transport);
    return transport;
  }
  const { origin } = await listenOnLoopback(server);
  afterTest(() => {
    server.closeAllConnections();
  });
  return { url: `${origin}/mcp`, capabilities };
}

const anything = { parse: (value: unknown) => value, safeParse: (data: unknown) => ({ success: true, data }) } as never;

/** The same with version 2, stateless: its first response asks for input (MCP 2026-07-28). */
export async function startStatelessElicitationServer(): Promise<{ readonly url: string }> {
  const handler = createMcpHandler(
    () => {
      const mcp = new McpServer({ name: 'asking', version: '2' });
      mcp.registerTool('form', {}, async ({ mcpReq }) => {
        const response = mcpReq.inputResponses?.['where'];
        if (response === undefined)
          return inputRequired({ inputRequests: { where: inputRequired.elicit(elicitedForm as never) } });
        return { content: [{ type: 'text', text: JSON.stringify(response) }] };
      });
      return mcp;
    },
    { legacy: 'reject' },
  );
  const handle = toNodeHandler(handler);
  const server = createServer((request, response) => void handle(request as never, response));
  const { origin } = await listenOnLoopback(server);
  afterTest(() => {
    server.closeAllConnections();
  });
  return { url: `${origin}/mcp` };
}
