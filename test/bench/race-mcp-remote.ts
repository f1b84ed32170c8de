import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { completeSignIn } from '../support/scripted-browser.ts';
import { countSuccesses, parallelCalls } from './racer.ts';
import type { Racer } from './racer.ts';

const app = path.join(import.meta.dirname, '../../node_modules/mcp-remote/dist/proxy.js');
const clientInfo = { name: 'bench', version: '1' };
/** Timeout in milliseconds of a call that opens a sign-in window, which nobody uses. */
const timeout = 10_000;

/** One mcp-remote proxy, with its responses by ID. */
interface Proxy {
  ask(method: string, params?: object): Promise<boolean>;
  kill(): void;
}

/** Five proxies with shared storage, like five apps with the same server in their configuration. */
export const raceMcpRemote: Racer = {
  name: 'mcp-remote, five processes',
  rounds: 5,
  async start(url, home) {
    let proxies: Proxy[] = [];
    let windows = 0;
    let isSigningIn = false;

    function onPage(page: string): void {
      if (isSigningIn) void completeSignIn(page).catch(() => {});
      else windows += 1;
    }
    const killAll = (): void => {
      for (const proxy of proxies) proxy.kill();
      proxies = [];
    };
    return {
      async signIn() {
        killAll();
        rmSync(home, { recursive: true, force: true });
        isSigningIn = true;
        for (let count = 0; count < parallelCalls; count += 1) {
          const proxy = startProxy(url, home, onPage);
          proxies.push(proxy);
          await proxy.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
          await proxy.ask('tools/list');
        }
        isSigningIn = false;
      },
      callAtOnce: async () =>
        await countSuccesses(
          proxies.map((proxy) => proxy.ask('tools/list')),
          timeout,
        ),
      takeWindows() {
        const opened = windows;
        windows = 0;
        return opened;
      },
      stop: async () => killAll(),
    };
  },
};

function startProxy(url: string, home: string, onPage: (page: string) => void): Proxy {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [app, url], {
    // This process is its browser; a real one must not open.
    env: { ...process.env, MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true', PATH: '/nowhere' },
  });
  const waiting = new Map<number, (isAnswer: boolean) => void>();
  let count = 0;
  child.stdin.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      const page = /https?:\/\/\S+\/authorize\?\S+/.exec(line)?.[0];
      if (page !== undefined) onPage(page);
      if (!line.startsWith('{')) return;
      const { id, result } = JSON.parse(line) as { id?: number; result?: unknown };
      if (id !== undefined) waiting.get(id)?.(result !== undefined);
    });
  }
  child.once('exit', () => {
    for (const settle of waiting.values()) settle(false);
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    async ask(method, params) {
      const id = (count += 1);
      const response = new Promise<boolean>((resolve) => waiting.set(id, resolve));
      send({ id, method, ...(params && { params }) });
      const isAnswer = await response;
      if (method === 'initialize') send({ method: 'notifications/initialized' });
      return isAnswer;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
