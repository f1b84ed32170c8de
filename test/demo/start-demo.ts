import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { AuthorizationServer } from './authorization-server-options.ts';
import { startAuthorizationServer } from './authorization-server.ts';
import type { DemoMode } from './demo-arguments.ts';
import { startMcpServer } from './mcp-server.ts';
import { createRecordStore } from './record-store.ts';

export interface DemoOptions {
  readonly mode?: DemoMode;
  readonly authPort?: number;
  readonly mcpPort?: number;
  readonly approve?: boolean;
  /** The demo user is signed in already and is only asked to allow. */
  readonly signedIn?: boolean;
  /** Folder for clients, grants and the typed client's secret. */
  readonly folder?: string;
}

export interface Demo {
  /** The MCP server's URL, which a user pastes. */
  readonly url: string;
  /** Absent without sign-in. */
  readonly issuer?: string;
  /** The client that a user has to type, in mode `typed`. */
  readonly typedClient?: { readonly id: string; readonly secret: string };
  /** Requested ports that were taken, with their replacements. */
  readonly movedPorts: readonly { readonly requested: number; readonly used: number }[];
  close(): Promise<void>;
}

const typedClientId = 'postern-demo';

/** Starts both servers; a taken port is replaced by a free one. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const movedPorts: { requested: number; used: number }[] = [];
  const mode = options.mode ?? 'registration';
  const folder = options.folder ?? demoFolder(process.env);
  const typedClient =
    mode === 'typed'
      ? { id: typedClientId, secret: readTypedSecret(path.join(folder, 'typed-client.json')) }
      : undefined;

  const withFreePort = async <Server extends { port: number }>(
    requested: number | undefined,
    start: (port: number) => Promise<Server>,
  ): Promise<Server> => {
    try {
      return await start(requested ?? 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || requested === undefined) throw error;
      const server = await start(0);
      movedPorts.push({ requested, used: server.port });
      return server;
    }
  };

  const authorizationServer: AuthorizationServer | undefined =
    mode === 'no-auth'
      ? undefined
      : await withFreePort(options.authPort, (port) =>
          startAuthorizationServer({
            port,
            registration: mode === 'typed' ? 'off' : 'open',
            storeFile: path.join(folder, `authorization-server-${mode}.json`),
            ...(options.approve === true ? { autoApprove: 'demo' } : {}),
            ...(options.signedIn === true ? { signedInAs: 'demo' } : {}),
            ...(typedClient === undefined ? {} : { typedClients: [{ ...typedClient, redirectUris }] }),
          }),
        );
  const mcpServer = await withFreePort(options.mcpPort, (port) =>
    startMcpServer({ port, ...(authorizationServer === undefined ? {} : { authorizationServer }) }),
  ).catch(async (error: unknown) => {
    await authorizationServer?.close();
    throw error;
  });

  return {
    url: mcpServer.url,
    ...(authorizationServer === undefined ? {} : { issuer: authorizationServer.issuer }),
    ...(typedClient === undefined ? {} : { typedClient }),
    movedPorts,
    close: async () => {
      await mcpServer.close();
      await authorizationServer?.close();
    },
  };
}

/** Loopback at any port (RFC 8252 7.3), with the spec's callback path. */
const redirectUris = ['127.0.0.1', 'localhost'].map((host) => `http://${host}/integration/oauth/callback`);

function readTypedSecret(file: string): string {
  return createRecordStore(file).secret('typed-secret', () => randomBytes(24).toString('base64url'));
}

/** `POSTERN_DEMO_HOME`, or else a folder in the user's data folder. */
function demoFolder(environment: NodeJS.ProcessEnv): string {
  const chosen = environment['POSTERN_DEMO_HOME'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const data = environment['XDG_DATA_HOME'] ?? environment['LOCALAPPDATA'] ?? path.join(homedir(), '.local', 'share');
  return path.join(data, 'postern-demo');
}
