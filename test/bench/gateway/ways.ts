import { existsSync } from 'node:fs';
import path from 'node:path';
import { mcpRemote } from '../contenders.ts';
import { openHttpProgram } from './http-program.ts';
import { startLineProgram } from './line-program.ts';
import type { LineProgram } from './line-program.ts';
import { initializeParams } from './program.ts';
import type { Program } from './program.ts';
import { commands } from './served-profile.ts';
import type { ServedProfile, Serving } from './served-profile.ts';
import type { ServerProcess } from './server-process.ts';

export type WayName = 'direct' | 'native pipe' | 'Node pipe' | 'HTTP' | 'mcp-remote';

/** How a program comes to the server. */
export interface Way {
  readonly name: WayName;
  /** Ready for calls. */
  open(): Promise<Program>;
  /** Milliseconds from nothing to the answer to `initialize`: a process starts for it, where there is one. */
  initialize(): Promise<number>;
}

/** All of them; without cargo there is no native pipe. */
export async function listWays(
  server: ServerProcess,
  profile: ServedProfile,
  serving: Serving,
  folder: string,
): Promise<readonly Way[]> {
  const home = path.join(folder, 'mcp-remote');
  // Its sign-in, which the others have already.
  await mcpRemote.run('full', server.url, home);
  const remote = [process.execPath, commands.mcpRemote, server.url, '--silent'];
  const remoteEnv = { MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' };
  return [
    httpWay('direct', server.url, `Bearer ${server.token}`),
    ...ownWays(profile, serving),
    lineWay('mcp-remote', () => startLineProgram(remote, remoteEnv)),
  ];
}

/** Those through Postern. */
export function ownWays(profile: ServedProfile, serving: Serving): readonly Way[] {
  return [
    ...(existsSync(commands.native) ? [lineWay('native pipe', () => startNativePipe(profile))] : []),
    lineWay('Node pipe', () => startNodePipe(profile)),
    httpWay('HTTP', serving.address, profile.authorization),
  ];
}

export function startNativePipe(profile: ServedProfile, pipe = commands.native): LineProgram {
  return startLineProgram([pipe, ...pipeWords(profile)]);
}

export function startNodePipe(profile: ServedProfile, pipe = commands.node): LineProgram {
  return startLineProgram([process.execPath, pipe, ...pipeWords(profile)]);
}

function pipeWords({ folder, server, programs }: ServedProfile): readonly string[] {
  return ['--profile-folder', folder, server, '--program', programs[0] ?? ''];
}

function lineWay(name: WayName, start: () => LineProgram): Way {
  return {
    name,
    async open() {
      const program = start();
      await program.shakeHands();
      await program.ask('tools/list');
      return program;
    },
    async initialize() {
      const since = performance.now();
      const program = start();
      try {
        await program.ask('initialize', initializeParams);
        return performance.now() - since;
      } finally {
        await program.close();
      }
    },
  };
}

function httpWay(name: WayName, address: string, authorization: string): Way {
  return {
    name,
    async open() {
      const program = await openHttpProgram(address, authorization);
      await program.ask('tools/list');
      return program;
    },
    async initialize() {
      const since = performance.now();
      const program = await openHttpProgram(address, authorization);
      const milliseconds = performance.now() - since;
      await program.close();
      return milliseconds;
    },
  };
}
