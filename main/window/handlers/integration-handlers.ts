import type { ConnectionView } from '../../../shared/connection-view.ts';
import { describeError } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { isSignedIn, requireSignIn } from '../../engine/records/api-key.ts';
import { summarizeServices } from '../../engine/removal/delete-everything.ts';
import type { DeletionReport } from '../../engine/removal/delete-everything.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import type { ReauthenticationOptions } from '../../engine/sign-in/reauthenticate.ts';
import type { UseOptions } from '../../engine/use/use-server.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { readServer } from '../../operations/operation.ts';
import type { Surface } from '../../operations/operation.ts';
import { removeEverything } from '../../operations/servers.ts';
import type { RemovalPort, UsePort } from '../../operations/servers.ts';
import type { StoredData } from '../../ports.ts';
import { startNewSignIn } from '../sign-in/start-attempt.ts';
import { createAttempt, integrationOf, waitingFor } from '../attempts/sign-in-attempts.ts';
import { trackOutcome, recentSignIns } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';

type IntegrationHandlers = Pick<
  IpcHandlers,
  'integration:signInAgain' | 'integration:switchAccount' | 'integration:signIns' | 'integration:events'
>;

export function integrationHandlers(context: DesktopContext): IntegrationHandlers {
  const { ports, attempts, statuses, deletions, history } = context;

  /** Errors: NO_SIGN_IN, API_KEY_INSTEAD, API_KEY_MISSING. */
  async function signInAgain(
    server: Integration,
    surface: string,
    kind: Exclude<ConnectionView['kind'], 'connect'>,
    demand: Omit<ReauthenticationOptions, 'surface' | 'flow'>,
  ): Promise<{ connectionId: string }> {
    requireSignIn(server);
    const { id, url, name, options } = server;
    // Finish a pending deletion first, so that it does not delete the new sign-in.
    await deletions.finishOf(id);
    const running = attempts.ofIntegration(id);
    // One sign-in per integration: a second start brings the first to the front.
    if (running) {
      const page = waitingFor(running.run, 'callback')?.page;
      if (page?.where === 'popup') page.popup.focus();
      return { connectionId: running.id };
    }
    for (const finished of attempts.all()) if (integrationOf(finished) === id) attempts.remove(finished.id);
    const attempt = createAttempt({
      purpose: { kind, integrationId: id },
      surface,
      flow: new Flow(ports.log),
      choices: { url, name, options },
    });
    attempts.add(attempt);
    startNewSignIn(context, attempt, id, demand);
    return { connectionId: attempt.id };
  }

  return {
    'integration:signInAgain': async ({ id }, { surface }) => {
      const { refusal } = statuses.of(id);
      const kind = refusal?.kind === 'insufficient-scope' ? 'stepUp' : 'signInAgain';
      return await signInAgain(await readServer(ports, id), surface, kind, { refusal });
    },
    'integration:switchAccount': async ({ id }, { surface }) =>
      await signInAgain(await readServer(ports, id), surface, 'switchAccount', { freshLogin: true }),
    'integration:signIns': async ({ id }) => ({ signIns: await recentSignIns(context, id) }),
    'integration:events': async ({ id }) => ({
      events: (await history.read(id)).events.map((event) => ({
        ...event,
        ...(event.code && { failure: describeError(event.code, {}).message }),
      })),
    }),
  };
}

/** The window's ports for server operations: they are shown while they run, and a removal can be undone for a while. */
export function serverPorts(context: DesktopContext): {
  readonly access: UseOptions;
  readonly trackUse: UsePort;
  readonly removal: RemovalPort;
  readonly keyReplaced: (server: Integration) => void;
} {
  const { ports, statuses, health, attempts, deletions, serverPool } = context;

  /** Ends a running sign-in, so that local changes do not wait for the network. */
  function endAttempt(id: string): void {
    const running = attempts.ofIntegration(id);
    if (!running) return;
    running.run?.end();
    attempts.remove(running.id);
  }

  return {
    access: { signal: new AbortController().signal, serverPool },
    trackUse: (server, work) => statuses.whileBusy(server.id, 'refreshing', () => trackOutcome(context, server, work)),
    keyReplaced({ id, url }) {
      health.markInMemory(id);
      statuses.forget(id);
      statuses.markResponded({ id, url });
    },
    // The tokens still exist during the undo time, so open connections are closed explicitly.
    removal: {
      async signOut(named) {
        // For servers that are already signed out, an undo would have nothing to restore.
        const servers = named.filter(isSignedIn);
        for (const { id } of servers) endAttempt(id);
        const deletion = await deletions.begin('signOut', servers);
        await serverPool.review(ports.store);
        for (const { id } of servers) statuses.forget(id);
        return deletion === undefined ? null : { deletion };
      },
      async remove(servers, changes) {
        const ids = servers.map(({ id }) => id);
        for (const id of ids) endAttempt(id);
        const deletion = await deletions.begin('remove', servers, changes);
        await serverPool.review(ports.store);
        for (const attempt of attempts.all())
          if (ids.includes(integrationOf(attempt) ?? '')) attempts.remove(attempt.id);
        for (const id of ids) statuses.drop(id);
        return deletion === undefined ? null : { deletion };
      },
      finish: (id) => deletions.finishOf(id),
    },
  };
}

type EverythingScope = Parameters<typeof removeEverything>[0];

/** Deletes everything and resets Postern to its first start. */
export function deletionHandler(
  { ports, storedData, gateway, attempts, deletions, statuses, settings, imports, registry, icons }: DesktopContext,
  scope: Omit<EverythingScope, 'runExclusively' | 'onDeletedLocally'>,
): Pick<IpcHandlers, 'storage:deleteEverything'> {
  /** A second window, or a second click, waits for the first. */
  let running: Promise<DeletionReport | undefined> | undefined;

  async function runExclusively(work: (data: StoredData) => Promise<DeletionReport>): Promise<DeletionReport> {
    attempts.endAll();
    await attempts.settled();
    for (const { id } of attempts.all()) attempts.remove(id);
    imports.clear();
    await deletions.finishAllLocally();
    registry.forget();
    // The gateway has files of the profile open. It restarts afterwards.
    await gateway?.stop();
    const deleteRest = async (): Promise<void> => {
      // An icon that arrives later would recreate the folder.
      await icons.end();
      await storedData.deleteRest();
    };
    const deleted = await work({ ...storedData, deleteRest }).finally(() => gateway?.start());
    if ((await ports.store.list()).length === 0) settings.forget();
    return deleted;
  }

  const run = { ...scope, runExclusively, onDeletedLocally: (id: string) => statuses.drop(id) };
  return {
    'storage:deleteEverything': async (input) => {
      running ??= removeEverything(run, input).finally(() => (running = undefined));
      const deleted = await running;
      if (!deleted) return null;
      return {
        servers: deleted.integrations,
        signIns: deleted.signIns,
        ...summarizeServices(deleted),
        ...(deleted.failure && { failure: toPlainError(deleted.failure) }),
      };
    },
  };
}

/** Undo, finish or dismiss a pending sign-out or removal. */
export function undoHandlers(
  { deletions }: DesktopContext,
  { changed }: Pick<Surface, 'changed'>,
): Pick<IpcHandlers, 'deletion:undo' | 'deletion:finish' | 'deletion:dismiss'> {
  return {
    'deletion:undo': async ({ id }) => {
      const { restored, entriesNotRestored } = await deletions.undo(id);
      await changed('integrations', 'apps', 'collections');
      return { restored: restored.length, entriesNotRestored: entriesNotRestored.map(({ name }) => name) };
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
