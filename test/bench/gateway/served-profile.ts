import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { nativePipe } from '../../../scripts/build-native-pipe.ts';
import { postern } from '../contenders.ts';

const root = path.join(import.meta.dirname, '../../..');
const app = path.join(root, 'bin/postern.js');
export const commands = {
  native: nativePipe,
  /** The pipe beside Postern, which starts it. */
  node: path.join(root, 'pipe/pipe.js'),
  mcpRemote: path.join(root, 'node_modules/mcp-remote/dist/proxy.js'),
};

/** `postern serve`, as a process. */
export interface Serving {
  readonly pid: number;
  readonly socket: string;
  /** The server's URL over HTTP. */
  readonly address: string;
  /** Milliseconds from process start until it served. */
  readonly milliseconds: number;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** A profile with one signed-in server, and apps that may use it. */
export interface ServedProfile {
  readonly folder: string;
  readonly server: string;
  /** IDs of the apps' records. */
  readonly apps: readonly string[];
  /** The first app's HTTP credentials. */
  readonly authorization: string;
  /** `start`: replaces the command line. */
  serve(start?: string): Promise<Serving>;
}

export async function makeProfile(url: string, folder: string): Promise<ServedProfile> {
  mkdirSync(folder, { recursive: true });
  await postern.run('full', url, folder);
  const store = openIntegrationStore({ folder, locks: createLocks(folder) });
  const [integration] = await store.list();
  if (!integration?.alias) throw new Error('The server of the measurements could not be connected.');
  const records = ['codex', 'cursor', 'zed'].map((name, index) => ({
    id: String(index).repeat(16),
    app: name,
    name,
    integrations: [integration.id],
    createdAt: 1,
  }));
  await store.apps.change(() => records);
  const env = { ...process.env, POSTERN_HOME: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [app, 'headers', 'codex'], { env });
  const server = integration.alias;
  return {
    folder,
    server,
    apps: records.map(({ id }) => id),
    authorization: (JSON.parse(stdout) as { Authorization: string }).Authorization,
    async serve(start = app) {
      const since = performance.now();
      const words = ['serve', '--http', '--json'];
      const child = spawn(process.execPath, [start, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      const { promise, resolve, reject } = Promise.withResolvers<{ socket: string; http: string }>();
      createInterface({ input: child.stdout }).on('line', (line) => {
        const event = JSON.parse(line) as { event?: string; socket: string; http: string };
        if (event.event === 'serving') resolve(event);
      });
      void exit.then(() => reject(new Error('postern serve ended.')));
      const { socket, http } = await promise;
      return {
        pid: child.pid ?? 0,
        socket,
        address: `${http}/${server}`,
        milliseconds: performance.now() - since,
        async end(signal) {
          child.kill(signal);
          await exit;
        },
      };
    },
  };
}
