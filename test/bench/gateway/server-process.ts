import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type ToServer = 'take-requests' | 'end-tokens' | 'be-silent' | 'speak';
export interface FromServer {
  readonly port?: number;
  readonly token?: string;
  readonly requests?: readonly string[];
}

/** The server that programs use, from the side of whoever measures. */
export interface ServerProcess {
  readonly url: string;
  /** A token that it takes, for whoever connects directly. */
  readonly token: string;
  /** Methods of what has come since the last call; of what is no message the HTTP method; `refresh`. */
  takeRequests(): Promise<readonly string[]>;
  /** From now on no token that it has given out is any good. */
  endTokens(): Promise<void>;
  /** From now on it does not answer a handshake, or does again. */
  beSilent(isSilent: boolean): Promise<void>;
  close(): void;
}

export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(path.join(import.meta.dirname, 'mcp-server.ts'), { execArgv: [] });
  const next = async (): Promise<FromServer> => ((await once(child, 'message')) as [FromServer])[0];
  const ask = async (message: ToServer): Promise<FromServer> => {
    const answer = next();
    child.send(message);
    return await answer;
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
