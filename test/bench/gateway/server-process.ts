import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type ToServer = 'take-requests' | 'end-tokens' | 'be-silent' | 'speak';
export interface FromServer {
  readonly port?: number;
  readonly token?: string;
  readonly requests?: readonly string[];
}

/** The benchmark's MCP server, as seen by the benchmark. */
export interface ServerProcess {
  readonly url: string;
  /** A valid token for direct connections. */
  readonly token: string;
  /** Methods of requests since the last call: of messages, otherwise the HTTP method, or `refresh`. */
  takeRequests(): Promise<readonly string[]>;
  /** Invalidates all issued tokens. */
  endTokens(): Promise<void>;
  /** Stops or resumes answering handshakes. */
  beSilent(isSilent: boolean): Promise<void>;
  close(): void;
}

export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(path.join(import.meta.dirname, 'mcp-server.ts'), { execArgv: [] });
  const next = async (): Promise<FromServer> => ((await once(child, 'message')) as [FromServer])[0];
  const ask = async (message: ToServer): Promise<FromServer> => {
    const response = next();
    child.send(message);
    return await response;
  };
  const { port = 0, token = '' } = await next();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    token,
    takeRequests: async () => (await ask('take-requests')).requests ?? [],
    endTokens: async () => void (await ask('end-tokens')),
    beSilent: async (isSilent) => void (await ask(isSilent ? 'be-silent' : 'speak')),
    close: () => child.disconnect(),
  };
}
