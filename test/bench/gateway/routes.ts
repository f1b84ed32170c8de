import { existsSync } from 'node:fs';
import path from 'node:path';
import { mcpRemote } from '../contenders.ts';
import { openHttpApp } from './http-app.ts';
import { startLineApp } from './line-app.ts';
import type { LineApp } from './line-app.ts';
import { initializeParams } from './app.ts';
import type { App } from './app.ts';
import { commands } from './served-profile.ts';
import type { ServedProfile, Serving } from './served-profile.ts';
import type { ServerProcess } from './server-process.ts';

export type RouteName = 'direct' | 'native pipe' | 'Node pipe' | 'HTTP' | 'mcp-remote';

/** A path from an app to the server. */
export interface Route {
  readonly name: RouteName;
  /** Ready for calls. */
  open(): Promise<App>;
  /** Milliseconds from nothing to the `initialize` response, including the start of a process if there is one. */
  initialize(): Promise<number>;
}

/** All paths; without cargo there is no native pipe. */
export async function listRoutes(
  server: ServerProcess,
  profile: ServedProfile,
  serving: Serving,
  folder: string,
): Promise<readonly Route[]> {
  const home = path.join(folder, 'mcp-remote');
  // Its sign-in; the others have already signed in.
  await mcpRemote.run('full', server.url, home);
  const remote = [process.execPath, commands.mcpRemote, server.url, '--silent'];
  const remoteEnv = { MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' };
  return [
    httpRoute('direct', server.url, `Bearer ${server.token}`),
    ...ownRoutes(profile, serving),
    lineRoute('mcp-remote', () => startLineApp(remote, remoteEnv)),
  ];
}

/** The paths through Postern. */
export function ownRoutes(profile: ServedProfile, serving: Serving): readonly Route[] {
  return [
    ...(existsSync(commands.native) ? [lineRoute('native pipe', () => startNativePipe(profile))] : []),
    lineRoute('Node pipe', () => startNodePipe(profile)),
    httpRoute('HTTP', serving.address, profile.authorization),
  ];
}

export function startNativePipe(profile: ServedProfile, pipe = commands.native): LineApp {
  return startLineApp([pipe, ...pipeWords(profile)]);
}

export function startNodePipe(profile: ServedProfile, pipe = commands.node): LineApp {
  return startLineApp([process.execPath, pipe, ...pipeWords(profile)]);
}

function pipeWords({ folder, server, apps }: ServedProfile): readonly string[] {
  return ['--profile-folder', folder, server, '--app', apps[0] ?? ''];
}

function lineRoute(name: RouteName, start: () => LineApp): Route {
  return {
    name,
    async open() {
      const app = start();
      await app.shakeHands();
      await app.ask('tools/list');
      return app;
    },
    async initialize() {
      const since = performance.now();
      const app = start();
      try {
        await app.ask('initialize', initializeParams);
        return performance.now() - since;
      } finally {
        await app.close();
      }
    },
  };
}

function httpRoute(name: RouteName, address: string, authorization: string): Route {
  return {
    name,
    async open() {
      const app = await openHttpApp(address, authorization);
      await app.ask('tools/list');
      return app;
    },
    async initialize() {
      const since = performance.now();
      const app = await openHttpApp(address, authorization);
      const milliseconds = performance.now() - since;
      await app.close();
      return milliseconds;
    },
  };
}
