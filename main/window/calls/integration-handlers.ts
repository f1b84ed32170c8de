import type { ConnectionView } from '../../../shared/connection-view.ts';
import { describeError } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { isSignedIn, requireSignIn } from '../../engine/kept/api-key.ts';
import { summariseServices } from '../../engine/leave/delete-everything.ts';
import type { Deleted } from '../../engine/leave/delete-everything.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import type { NewSignIn } from '../../engine/sign-in/reauthenticate.ts';
import type { Access } from '../../engine/use/use-server.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { readServer } from '../../operations/operation.ts';
import type { Surface } from '../../operations/operation.ts';
import { removeEverything } from '../../operations/servers.ts';
import type { LeavePort, UsePort } from '../../operations/servers.ts';
import type { KeptData } from '../../ports.ts';
import { startNewSignIn } from '../connecting/start-connection.ts';
import { createConnection, integrationOf, waitingFor } from '../connections/connections.ts';
import { observing, signInsOf } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';

type IntegrationHandlers = Pick<
  IpcHandlers,
  'integration:signInAgain' | 'integration:switchAccount' | 'integration:signIns' | 'integration:events'
>;

export function integrationHandlers(context: DesktopContext): IntegrationHandlers {
  const { ports, connections, board, deletions, history } = context;

  /** Errors: NO_SIGN_IN, API_KEY_INSTEAD, API_KEY_MISSING. */
  async function signInAgain(
    server: Integration,
    surface: string,
    kind: Exclude<ConnectionView['kind'], 'connect'>,
    demand: Omit<NewSignIn, 'surface' | 'flow'>,
  ): Promise<{ connectionId: string }> {
    requireSignIn(server);
    const { id, url, name, options } = server;
    // A new sign-in is not part of what is being deleted.
    await deletions.finishOf(id);
    const running = connections.ofIntegration(id);
    // One flow for an integration: a second start brings the first to the front.
    if (running) {
      const page = waitingFor(running.attempt, 'callback')?.page;
      if (page?.where === 'popup') page.popup.focus();
      return { connectionId: running.id };
    }
    for (const over of connections.all()) if (integrationOf(over) === id) connections.remove(over.id);
    const connection = createConnection({
      purpose: { kind, integrationId: id },
      surface,
      flow: new Flow(ports.log),
      wanted: { url, name, options },
    });
    connections.add(connection);
    startNewSignIn(context, connection, id, demand);
    return { connectionId: connection.id };
  }

  return {
    'integration:signInAgain': async ({ id }, { surface }) => {
      const { refusal } = board.of(id);
      const kind = refusal?.kind === 'insufficient-scope' ? 'stepUp' : 'signInAgain';
      return await signInAgain(await readServer(ports, id), surface, kind, { refusal });
    },
    'integration:switchAccount': async ({ id }, { surface }) =>
      await signInAgain(await readServer(ports, id), surface, 'switchAccount', { freshLogin: true }),
    'integration:signIns': async ({ id }) => ({ signIns: await signInsOf(context, id) }),
    'integration:events': async ({ id }) => ({
      events: (await history.read(id)).events.map((event) => ({
        ...event,
        ...(event.code && { failure: describeError(event.code, {}).message }),
      })),
    }),
  };
}

/** What operations on servers are in a window: shown while they run, and undone within seconds. */
export function serverPorts(context: DesktopContext): {
  readonly access: Access;
  readonly during: UsePort;
  readonly leave: LeavePort;
  readonly keyReplaced: (server: Integration) => void;
} {
  const { ports, board, health, connections, deletions, keptServers } = context;

  /** Local work comes first and does not wait for a network that is not there; a flow of it ends. */
  function endFlow(id: string): void {
    const running = connections.ofIntegration(id);
    if (!running) return;
    running.attempt?.end();
    connections.remove(running.id);
  }

  return {
    access: { signal: new AbortController().signal, keptServers },
    during: (server, work) => board.during(server.id, 'refreshing', () => observing(context, server, work)),
    keyReplaced({ id, url }) {
      health.madeHere(id);
      board.forget(id);
      board.answered({ id, url });
    },
    // The tokens are still there: what is open ends now, not once the change of the list is noticed by itself.
    leave: {
      async signOut(named) {
        // An undo of one that is signed out already would have nothing to bring back.
        const servers = named.filter(isSignedIn);
        for (const { id } of servers) endFlow(id);
        const deletion = await deletions.begin('signOut', servers);
        await keptServers.review(ports.store);
        for (const { id } of servers) board.forget(id);
        return deletion === undefined ? null : { deletion };
      },
      async remove(servers, changes) {
        const ids = servers.map(({ id }) => id);
        for (const id of ids) endFlow(id);
        const deletion = await deletions.begin('remove', servers, changes);
        await keptServers.review(ports.store);
        for (const connection of connections.all())
          if (ids.includes(integrationOf(connection) ?? '')) connections.remove(connection.id);
        for (const id of ids) board.drop(id);
        return deletion === undefined ? null : { deletion };
      },
      finish: (id) => deletions.finishOf(id),
    },
  };
}

type EverythingScope = Parameters<typeof removeEverything>[0];

/** Deletes everything, and leaves the program as at its first start. */
export function deletionHandler(
  { ports, kept, gateway, connections, deletions, board, settings, imports, registry, icons }: DesktopContext,
  scope: Omit<EverythingScope, 'alone' | 'onForgotten'>,
): Pick<IpcHandlers, 'storage:deleteEverything'> {
  /** A second window, or a second click, waits for the first. */
  let running: Promise<Deleted | undefined> | undefined;

  async function alone(work: (kept: KeptData) => Promise<Deleted>): Promise<Deleted> {
    connections.end();
    await connections.ended();
    for (const { id } of connections.all()) connections.remove(id);
    imports.clear();
    await deletions.finishHere();
    registry.forget();
    // It holds files of the profile; afterwards it begins as at the first start.
    await gateway?.stop();
    const deleteRest = async (): Promise<void> => {
      // A picture that comes later would make its folder anew.
      await icons.end();
      await kept.deleteRest();
    };
    const deleted = await work({ ...kept, deleteRest }).finally(() => gateway?.start());
    if ((await ports.store.list()).length === 0) settings.forget();
    return deleted;
  }

  const run = { ...scope, alone, onForgotten: (id: string) => board.drop(id) };
  return {
    'storage:deleteEverything': async (input) => {
      running ??= removeEverything(run, input).finally(() => (running = undefined));
      const deleted = await running;
      if (!deleted) return null;
      return {
        servers: deleted.integrations,
        signIns: deleted.signIns,
        ...summariseServices(deleted),
        ...(deleted.failure && { failure: toPlainError(deleted.failure) }),
      };
    },
  };
}

/** What becomes of a sign-out or a removal within its seconds of undo. */
export function undoHandlers(
  { deletions }: DesktopContext,
  { changed }: Pick<Surface, 'changed'>,
): Pick<IpcHandlers, 'deletion:undo' | 'deletion:finish' | 'deletion:dismiss'> {
  return {
    'deletion:undo': async ({ id }) => {
      const { restored, entriesLeft } = await deletions.undo(id);
      await changed('integrations', 'programs', 'collections');
      return { restored: restored.length, entriesLeft: entriesLeft.map(({ name }) => name) };
    },
    'deletion:finish': async ({ id }) => {
      await deletions.finish(id);
      return null;
    },
    'deletion:dismiss': async ({ id }) => {
      deletions.dismiss(id);
      return null;
    },
  };
}
