import { spawn } from 'node:child_process';
import path from 'node:path';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { localOptions } from '../support/local-options.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { countSuccesses, parallelCalls } from './racer.ts';
import type { Racer } from './racer.ts';

const rounds = 20;
const launcher = path.join(import.meta.dirname, '../../bin/postern.js');
const browser = `${process.execPath} ${path.join(import.meta.dirname, '../support/approving-browser.ts')}`;

/** One process, like the window. */
export const racePosternEngine: Racer = {
  name: "postern's engine, one process",
  rounds,
  async start(url, home) {
    const { ports, close } = openProfileEngine(home);
    const { signal } = new AbortController();
    let windows = 0;
    const interaction = {
      onEvent: () => {},
      askCredentials: async () => undefined,
      open: async (pending: { url: string }) => {
        windows += 1;
        await completeSignIn(pending.url);
      },
    };
    let connected: Awaited<ReturnType<typeof connectServer>> | undefined;
    return {
      async signIn() {
        connected = await connectServer(ports, { url, options: localOptions, surface: 'bench' }, interaction, signal);
      },
      async callAtOnce() {
        const integration = connected?.integration;
        if (!integration) return 0;
        const call = async (): Promise<boolean> => (await listTools(ports, integration, { signal })).length > 0;
        return await countSuccesses(Array.from({ length: parallelCalls }, call), 30_000);
      },
      takeWindows() {
        const opened = windows;
        windows = 0;
        return opened;
      },
      stop: close,
    };
  },
};

/** Five concurrent commands on one profile. */
export const racePostern: Racer = {
  name: 'postern, five processes',
  rounds,
  async start(url, home) {
    let windows = 0;
    const run = (...args: string[]): Promise<boolean> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [launcher, ...args, '--json'], {
          env: { ...process.env, POSTERN_HOME: home, BROWSER: browser },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          windows += text.match(/"event":"authorization"/g)?.length ?? 0;
        });
        child.once('close', (code) => resolve(code === 0));
      });
    let name = 0;
    return {
      async signIn() {
        name += 1;
        if (!(await run('connect', url, '--local', '--name', `race-${name}`)))
          throw new Error('postern cannot connect');
      },
      callAtOnce: async () =>
        await countSuccesses(
          Array.from({ length: parallelCalls }, () => run('tools', `race-${name}`)),
          60_000,
        ),
      takeWindows() {
        const opened = windows;
        windows = 0;
        return opened;
      },
      stop: async () => {},
    };
  },
};
