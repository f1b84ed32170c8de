import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { AskForCall, CatalogStore, OpenSession } from '../../main/gateway-ports.ts';
import type { SessionEvent } from '../../main/gateway/gateway-dependencies.ts';
import { Gateway } from '../../main/gateway/gateway.ts';
import { writeEndpoint } from '../../main/host/gateway/gateway-holder.ts';
import { LoopbackListener } from '../../main/net/endpoint/loopback-listener.ts';
import type { LoopbackCredentials } from '../../main/net/endpoint/loopback-listener.ts';
import { createPipeServer, createSocketEndpoint } from '../../main/net/endpoint/socket-endpoint.ts';
import { openActivityStore } from '../../main/storage/profile/activity-store.ts';
import { openCatalogStore } from '../../main/storage/profile/server-files.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { ActivityCall } from '../../shared/activity.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AppRecord } from '../../shared/app-record.ts';
import type { TestEngine } from './test-engine.ts';

export interface ServedGateway {
  readonly gateway: Gateway;
  readonly socket: string;
  /** The port for pipes on Windows. */
  readonly loopback: LoopbackCredentials;
  readonly events: readonly SessionEvent[];
  /** Recorded activity, oldest first. */
  readonly calls: readonly ActivityCall[];
  /** Allows an app to use a server; returns the record's ID. */
  allow(integration: Integration, change?: Partial<AppRecord>): Promise<string>;
  changeRecords(change: (records: readonly AppRecord[]) => readonly AppRecord[]): Promise<void>;
  /** Accepts nothing more, as before another gateway takes over. */
  stopAccepting(): void;
  /** Whether nothing is in flight after that. */
  isIdle(): boolean;
  /** Ends it as quitting does; afterwards the same profile can be served again. */
  close(): Promise<void>;
}

/** The gateway and its socket for a test engine's profile; ends with the test. */
export async function serveGateway(
  engine: TestEngine,
  {
    allowUnknown = false,
    askForCall,
    catalog = openCatalogStore(engine.folder),
  }: { allowUnknown?: boolean; askForCall?: AskForCall; catalog?: CatalogStore } = {},
): Promise<ServedGateway> {
  const events: SessionEvent[] = [];
  const { apps, collections } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const calls: ActivityCall[] = [];
  const activity = openActivityStore({ profileFolder: engine.folder, isEnabled: async () => true });
  const gateway = new Gateway({
    ...engine.ports,
    activity: {
      add(call) {
        calls.push(call);
        activity.add(call);
      },
    },
    apps,
    collections,
    catalog,
    command: 'postern',
    allowUnknown,
    user: askForCall ? { allowCall: askForCall } : {},
    onSession: (event) => void events.push(event),
  });
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  const open: OpenSession = (hello, line) => gateway.open(hello, line);
  const endpoint = createSocketEndpoint({ path: socket, open });
  const door = new LoopbackListener();
  // As on Windows.
  const listening = Promise.withResolvers<LoopbackCredentials>();
  const byPort = createPipeServer({ open, admit: (client) => door.admit(client) }, async (server) =>
    listening.resolve(await door.listen(server)),
  );
  await byPort.listen();
  const loopback = await listening.promise;
  await writeEndpoint(engine.folder, { loopback });
  await endpoint.listen();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= Promise.all([endpoint.close(), byPort.close()]).then(async () => {
      await gateway.close();
      await activity.flush();
    }));
  onTestFinished(close);
  return {
    gateway,
    socket,
    loopback,
    events,
    calls,
    stopAccepting: () => endpoint.stopAccepting(),
    isIdle: () => endpoint.isIdle && gateway.isIdle,
    close,
    async allow(integration, change = {}) {
      const id = String(Math.random()).slice(2, 18).padEnd(16, '0');
      const record = { id, app: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1, ...change };
      await apps.change((records) => [...records, record]);
      return id;
    },
    async changeRecords(change) {
      await apps.change(change);
      await gateway.reloadSettings();
    },
  };
}
