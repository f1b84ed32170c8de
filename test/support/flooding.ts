import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { freePort } from './free-port.ts';
import { someSecret } from './http-endpoint.ts';
import { openApp } from './line-app.ts';
import type { LineApp } from './line-app.ts';
import { startPostern } from './postern-process.ts';
import { createTestEngine } from './test-engine.ts';

/** Values that take dozens of times the memory of their text once parsed: 1.5 MB. */
export const manyObjects = `[${Array.from({ length: 495_000 }, () => '{}').join(',')}]`;

/** Two unrelated apps, and a gateway for them in its own process with little memory. */
export interface FloodedGateway {
  /** A session of the attacking app or of the other one. */
  open(app: 'attacker' | 'bystander', server: string): LineApp;
  /** The HTTP endpoint, and the attacker's credentials for it. */
  readonly http: { readonly url: (alias: string) => string; readonly authorization: string };
  /** True once the gateway has ended. */
  readonly hasEnded: () => boolean;
}

/** `urls`: the servers, which get the aliases `s0`, `s1`, … and form the collection `all`. */
export async function startFloodedGateway(urls: readonly string[], heap: number): Promise<FloodedGateway> {
  const engine = createTestEngine();
  const ids: string[] = [];
  for (const [index, url] of urls.entries()) {
    const { integration } = await engine.connect(url, { local: true });
    await engine.ports.store.update(integration.id, (stored) => ({ ...stored, alias: `s${index}`, name: `s${index}` }));
    ids.push(integration.id);
  }
  const { apps, collections } = openIntegrationStore({ folder: engine.folder, locks: createLocks(engine.folder) });
  await collections.change(() => [{ name: 'all', members: ids }]);
  const { authorization, secretHash } = someSecret();
  const [attacker, bystander] = ['a'.repeat(16), 'b'.repeat(16)];
  const integrations = [...ids, '+all'];
  await apps.change(() => [
    { id: attacker, app: 'cursor', name: 'Cursor', integrations, createdAt: 1, secretHash },
    { id: bystander, app: 'zed', name: 'Zed', integrations, createdAt: 1 },
  ]);
  const port = await freePort();
  await engine.ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  const env = { NODE_OPTIONS: `--max-old-space-size=${heap}` };
  const process = startPostern(['serve', '--json'], { home: engine.folder, env });
  const [, socket = ''] = await process.waitFor(/"socket":"([^"]+)"/u);
  let hasEnded = false;
  void process.ended.then(() => (hasEnded = true));
  return {
    open: (app, server) => openApp(socket, { server, app: app === 'attacker' ? attacker : bystander }),
    http: { url: (alias) => `http://127.0.0.1:${port}/mcp/${alias}`, authorization },
    hasEnded: () => hasEnded,
  };
}
