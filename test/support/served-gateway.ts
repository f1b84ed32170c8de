import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { AskForCall, OpenSession } from '../../main/gateway-ports.ts';
import type { SessionEvent } from '../../main/gateway/gateway-ports.ts';
import { Gateway } from '../../main/gateway/gateway.ts';
import { keepEndpoint } from '../../main/host/gateway/gateway-holder.ts';
import { LoopbackDoor } from '../../main/net/endpoint/loopback-door.ts';
import type { LoopbackPlace } from '../../main/net/endpoint/loopback-door.ts';
import { createPipeServer, createSocketEndpoint } from '../../main/net/endpoint/socket-endpoint.ts';
import { openActivityStore } from '../../main/storage/profile/activity-store.ts';
import { openCatalogueStore } from '../../main/storage/profile/server-files.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { ActivityCall } from '../../shared/activity.ts';
import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { TestEngine } from './test-engine.ts';

export interface ServedGateway {
  readonly gateway: Gateway;
  readonly socket: string;
  /** Where pipes of Windows come in. */
  readonly loopback: LoopbackPlace;
  readonly events: readonly SessionEvent[];
  /** What has been noted, oldest first. */
  readonly calls: readonly ActivityCall[];
  /** Allows a program to use a server; its record's id. */
  allow(integration: Integration, change?: Partial<ProgramRecord>): Promise<string>;
  changeRecords(change: (records: readonly ProgramRecord[]) => readonly ProgramRecord[]): Promise<void>;
  /** Lets nothing more in, as one does that makes room for another. */
  stopAccepting(): void;
  /** Whether nothing is under way after that. */
  isIdle(): boolean;
  /** Ends it as a quit does; afterwards the same profile can be served again. */
  close(): Promise<void>;
}

/** The gateway and its socket on the profile of a test's engine, gone after the test. */
export async function serveGateway(
  engine: TestEngine,
  { allowUnknown = false, askForCall }: { allowUnknown?: boolean; askForCall?: AskForCall } = {},
): Promise<ServedGateway> {
  const events: SessionEvent[] = [];
  const { programs, collections } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
  const calls: ActivityCall[] = [];
  const activity = openActivityStore({ profileFolder: engine.folder, isOn: async () => true });
  const gateway = new Gateway({
    ...engine.ports,
    activity: {
      add(call) {
        calls.push(call);
        activity.add(call);
      },
    },
    programs,
    collections,
    catalogue: openCatalogueStore(engine.folder),
    command: 'postern',
    allowUnknown,
    user: askForCall ? { allowCall: askForCall } : {},
    onSession: (event) => void events.push(event),
  });
  const socket = path.join(engine.folder, 'run', 'gateway.sock');
  const open: OpenSession = (hello, line) => gateway.open(hello, line);
  const endpoint = createSocketEndpoint({ path: socket, open });
  const door = new LoopbackDoor();
  // As on Windows.
  const listening = Promise.withResolvers<LoopbackPlace>();
  const byPort = createPipeServer({ open, admit: (stranger) => door.admit(stranger) }, async (server) =>
    listening.resolve(await door.listen(server)),
  );
  await byPort.listen();
  const loopback = await listening.promise;
  await keepEndpoint(engine.folder, { loopback });
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
      const record = { id, program: 'cursor', name: 'Cursor', integrations: [integration.id], createdAt: 1, ...change };
      await programs.change((records) => [...records, record]);
      return id;
    },
    async changeRecords(change) {
      await programs.change(change);
      await gateway.changed();
    },
  };
}
