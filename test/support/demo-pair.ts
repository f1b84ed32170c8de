import type { AuthorizationServer, AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { startAuthorizationServer } from '../demo/authorization-server.ts';
import type { DemoMcpServer, McpServerOptions } from '../demo/mcp-server-options.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { afterTest } from './after-test.ts';

export interface DemoPair {
  readonly as: AuthorizationServer;
  readonly mcp: DemoMcpServer;
}

/** oidc-provider and an MCP server that trusts it, both stopped after the test. */
export async function startPair(
  options: AuthorizationServerOptions = {},
  mcpOptions: McpServerOptions = {},
): Promise<DemoPair> {
  const as = await startServer(options);
  return { as, mcp: await startResource(as, mcpOptions) };
}

/** Only oidc-provider. */
export async function startServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const as = await startAuthorizationServer(options);
  afterTest(() => as.close());
  return as;
}

/** An MCP server that trusts `as`, or everyone. */
export async function startResource(
  as: McpServerOptions['authorizationServer'],
  options: McpServerOptions = {},
): Promise<DemoMcpServer> {
  const mcp = await startMcpServer({ ...(as && { authorizationServer: as }), ...options });
  afterTest(() => mcp.close());
  return mcp;
}

/** Requests to one endpoint, oldest first. */
export function requestsTo(server: Pick<AuthorizationServer, 'requests'>, path: string) {
  return server.requests.filter((request) => request.path === path);
}
