import { startAuthorizationServer } from '../demo/authorization-server.ts';
import { startMcpServer } from '../demo/mcp-server.ts';

/** oidc-provider, which ends a grant on refresh token reuse, and an MCP server that rejects on demand. */
export interface RaceServer {
  readonly url: string;
  /** Invalidates all tokens used so far. */
  rejectAll(): void;
  /** Refresh requests since the last call, and how many were rejected. */
  takeRefreshes(): { readonly sent: number; readonly refused: number };
  close(): Promise<void>;
}

export async function startRaceServer(): Promise<RaceServer> {
  const rejected = new Set<string>();
  const as = await startAuthorizationServer({ autoApprove: 'demo' });
  const mcp = await startMcpServer({ authorizationServer: as, reject: (token) => rejected.has(token) });
  let requestCount = 0;
  return {
    url: mcp.url,
    rejectAll() {
      for (const { token } of mcp.requests) if (token !== undefined) rejected.add(token);
    },
    takeRefreshes() {
      const refreshes = as.requests
        .slice(requestCount)
        .filter(({ path, body }) => path === '/token' && body?.['grant_type'] === 'refresh_token');
      requestCount = as.requests.length;
      return { sent: refreshes.length, refused: refreshes.filter(({ status }) => status !== 200).length };
    },
    close: async () => {
      await mcp.close();
      await as.close();
    },
  };
}
