import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { freePort } from './free-port.ts';
import { someSecret } from './http-door.ts';
import { openProgram } from './line-program.ts';
import type { LineProgram } from './line-program.ts';
import { startPostern } from './postern-process.ts';
import { createTestEngine } from './test-engine.ts';

/** Values that cost dozens of times their text once they are built: 1.5 MB. */
export const manyObjects = `[${Array.from({ length: 495_000 }, () => '{}').join(',')}]`;

/** Two apps that know nothing of each other, and a gateway for them: a process of its own with little memory. */
export interface Flooded {
  /** A session of the app that does harm, or of the one that nothing may happen to. */
  open(app: 'attacker' | 'bystander', server: string): LineProgram;
  /** The door for HTTP, and what the attacker shows there. */
  readonly http: { readonly url: (alias: string) => string; readonly authorization: string };
  /** Whether it has ended. */
  readonly hasEnded: () => boolean;
}

/** `urls`: of servers, which get the aliases `s0`, `s1`, …, and are the collection `all` together. */
export async function startFlooded(urls: readonly string[], heap: number): Promise<Flooded> {
  const engine = createTestEngine();
  const ids: string[] = [];
  for (const [index, url] of urls.entries()) {
    const { integration } = await engine.connect(url, { local: true });
    await engine.ports.store.update(integration.id, (kept) => ({ ...kept, alias: `s${index}`, name: `s${index}` }));
    ids.push(integration.id);
  }
  const { programs, collections } = openIntegrationStore({ folder: engine.folder, locks: createLocks(engine.folder) });
  await collections.change(() => [{ name: 'all', members: ids }]);
  const { authorization, secretHash } = someSecret();
  const [attacker, bystander] = ['a'.repeat(16), 'b'.repeat(16)];
  const integrations = [...ids, '+all'];
  await programs.change(() => [
    { id: attacker, program: 'cursor', name: 'Cursor', integrations, createdAt: 1, secretHash },
    { id: bystander, program: 'zed', name: 'Zed', integrations, createdAt: 1 },
  ]);
  const port = await freePort();
  await engine.ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  const env = { NODE_OPTIONS: `--max-old-space-size=${heap}` };
  const process = startPostern(['serve', '--json'], { home: engine.folder, env });
  const [, socket = ''] = await process.waitFor(/"socket":"([^"]+)"/u);
  let hasEnded = false;
  void process.ended.then(() => (hasEnded = true));
  return {
    open: (app, server) => openProgram(socket, { server, program: app === 'attacker' ? attacker : bystander }),
    http: { url: (alias) => `http://127.0.0.1:${port}/mcp/${alias}`, authorization },
    hasEnded: () => hasEnded,
  };
}
