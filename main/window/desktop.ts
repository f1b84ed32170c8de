import { hash } from 'node:crypto';
import type { DesktopView } from '../../shared/desktop-view.ts';
import type { Collection } from '../../shared/collection.ts';
import type { IpcHandlers } from '../../shared/ipc-contract.ts';
import type { Snapshots, SnapshotSlice } from '../../shared/ipc-event.ts';
import type { Removal } from '../apps/plan/entry-files.ts';
import { toPlainError } from '../errors/postern-error.ts';
import type { PosternError } from '../errors/postern-error.ts';
import { endedStatus } from '../stored-status.ts';
import type { RestoredEntries } from '../operations/app-changes.ts';
import type { Surface } from '../operations/operation.ts';
import { operationsOf } from '../operations/operations.ts';
import { changeSettings } from '../operations/settings.ts';
import type { SettingsToStore } from '../operations/settings.ts';
import { windowWords } from '../window-words.ts';
import { readCollections, readApps } from './apps/read-apps.ts';
import type { PreviewedChanges } from './apps/previewed-changes.ts';
import { desktopHandlers, settingsFileHandlers, updateHandlers } from './handlers/desktop-handlers.ts';
import { connectionHandlers } from './handlers/connection-handlers.ts';
import { identityHandlers } from './handlers/identity-handlers.ts';
import { deletionHandler, integrationHandlers, serverPorts, undoHandlers } from './handlers/integration-handlers.ts';
import { importHandlers, listHandlers, registryHandlers } from './handlers/import-handlers.ts';
import { localRequestHandler, localHandlers } from './handlers/local-handlers.ts';
import { completeHandler, followHandler, mcpHandlers, resultHandlers } from './handlers/mcp-handlers.ts';
import { activityHandlers, appHandlers } from './handlers/app-handlers.ts';
import type { DesktopContext } from './desktop-context.ts';
import { describeConnection } from './views/describe-connection.ts';

interface DesktopOptions {
  readonly context: DesktopContext;
  readonly previewedChanges: PreviewedChanges;
  readonly facts: AppFacts;
  readonly notices: () => readonly PosternError[];
  readonly proxy: () => DesktopView['proxy'];
  /** The first screen is ready for input. */
  readonly onInteractive: () => void;
}

/** The window process without Electron: IPC handlers and published state. */
export interface Desktop {
  readonly handlers: IpcHandlers;
  /** The current value of one slice. */
  snapshot<Slice extends SnapshotSlice>(slice: Slice): Promise<Snapshots[Slice]>;
  /** All windows are closed: ends sign-ins, calls and open connections. */
  windowsClosed(): void;
  /** Ends every flow, and resolves when all have ended. */
  close(): Promise<void>;
}

export function createDesktop({
  context,
  previewedChanges,
  facts,
  notices,
  proxy,
  onInteractive,
}: DesktopOptions): Desktop {
  const { ports, attempts, statuses, health, settings, settingsFile } = context;
  const dismissed = new Set<string>();

  async function viewSettings() {
    const fault = await settingsFile.findFault();
    if (!fault) return await settings.view();
    const { error, lastGood } = fault;
    return {
      ...settings.defaults(),
      settingsTrouble: { error: toPlainError(error), ...(lastGood && { lastGood }) },
    };
  }

  const surface = windowSurface(context);
  const scope = {
    ...context,
    ...surface,
    sendLocalRequest: localRequestHandler(context),
    // Entries are removed exactly as previewed.
    confirmEntries: async (_leaving: Removal, tokens: readonly string[]) => previewedChanges.claimConfirmed(tokens),
    async onEntriesRestored({ entriesNotRestored }: RestoredEntries) {
      const apps = entriesNotRestored.map(({ name }) => name);
      if (apps.length > 0) context.sendEvent({ event: 'entries-not-restored', apps });
      await surface.changed('apps');
    },
    removeFor: (collection: Collection, changes: readonly string[]) =>
      context.deletions.beginCollection(collection, changes),
    ...serverPorts(context),
    testStorage: () => health.test(),
    endedServers: async () => ({ get: (id: string) => endedStatus(ports.local.status(id).state) }),
    saveList: (text: string) => context.shell.saveFile(windowWords.exportedList, text),
    applySettings: (change: SettingsToStore) => settings.apply(change),
  };

  const snapshots: { readonly [Slice in SnapshotSlice]: () => Promise<Snapshots[Slice]> } = {
    desktop: async () => ({
      ...describeFacts(facts),
      proxy: proxy(),
      ...(await viewSettings()),
      storage: health.view(),
      ...(context.updates && { update: await context.updates.view() }),
      notices: describeNotices(notices(), dismissed),
      ...(context.gateway?.httpError && { httpTrouble: toPlainError(context.gateway.httpError) }),
    }),
    integrations: async () => ((await settingsFile.findFault()) ? [] : statuses.views(await ports.store.list())),
    deletions: async () => context.deletions.views(),
    collections: async () => ((await settingsFile.findFault()) ? [] : await readCollections(context)),
    connections: async () => attempts.all().map(describeConnection),
    apps: async () => ((await settingsFile.findFault()) ? [] : await readApps(context)),
    approvals: async () => context.user.accessRequests.views(),
    heldCalls: async () => context.user.heldCalls.views(),
    questions: async () => context.user.questions.views(),
  };

  return {
    handlers: {
      ...desktopHandlers(context, {
        snapshots: async () => ({
          desktop: await snapshots.desktop(),
          integrations: await snapshots.integrations(),
          deletions: await snapshots.deletions(),
          connections: await snapshots.connections(),
          collections: await snapshots.collections(),
          apps: await snapshots.apps(),
          approvals: await snapshots.approvals(),
          heldCalls: await snapshots.heldCalls(),
          questions: await snapshots.questions(),
        }),
        onInteractive,
        changeSettings: (change) => changeSettings(scope, change),
        dismiss: (id) => {
          dismissed.add(id);
          context.changed('desktop');
        },
      }),
      ...deletionHandler(context, scope),
      ...connectionHandlers(context),
      ...importHandlers(context),
      ...integrationHandlers(context),
      ...identityHandlers(context),
      ...mcpHandlers(context),
      ...followHandler(context),
      ...completeHandler(context),
      ...resultHandlers(context),
      ...listHandlers(context, surface),
      ...registryHandlers(context),
      ...localHandlers(context, surface),
      ...settingsFileHandlers(context),
      ...appHandlers(context, previewedChanges, surface),
      ...activityHandlers(context),
      ...updateHandlers(context),
      ...undoHandlers(context, surface),
      ...operationsOf(scope),
      'permission:answer': async ({ id, answer }) => {
        context.user.heldCalls.answer(id, answer);
        return null;
      },
      'approval:answer': async ({ id, answer }) => {
        context.user.accessRequests.answer(id, answer);
        return null;
      },
      'question:answer': async ({ id, ...answer }) => {
        await context.user.questions.answer(id, answer);
        return null;
      },
    },
    snapshot: (slice) => snapshots[slice](),
    windowsClosed() {
      attempts.endAll();
      context.calls.end();
      void context.serverPool.end();
    },
    async close() {
      attempts.endAll();
      context.calls.end();
      await Promise.all([attempts.settled(), context.serverPool.end()]);
      await context.deletions.close();
    },
  };
}

/** The window, as operations use it. */
function windowSurface({ user, statuses, gateway, settings, changed }: DesktopContext): Surface {
  return {
    user,
    changed: async (...slices) => {
      await gateway?.changed();
      if (slices.includes('desktop')) await settings.applyChanged();
      if (slices.includes('integrations')) statuses.reviewRefreshes();
      for (const slice of slices) changed(slice);
    },
  };
}

/** Facts that do not change while Postern runs. */
export interface AppFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: DesktopView['runtime'];
  readonly sandbox: DesktopView['sandbox'];
  /** URL of a running demo server. */
  readonly demoUrl?: string | undefined;
}

function describeFacts({
  version,
  platform,
  runtime,
  sandbox,
  demoUrl,
}: AppFacts): Pick<DesktopView, 'version' | 'platform' | 'runtime' | 'sandbox' | 'demo'> {
  return {
    version,
    platform,
    runtime: [...runtime],
    sandbox,
    ...(demoUrl !== undefined && { demo: { url: demoUrl } }),
  };
}

/** Problems with the user's files, shown until dismissed. */
function describeNotices(notices: readonly PosternError[], dismissed: ReadonlySet<string>): DesktopView['notices'] {
  return notices
    .map((notice) => {
      const { code, message, detail, remedy } = toPlainError(notice);
      return { id: hash('sha256', message, 'hex'), code, message, ...(detail && { detail }), remedy };
    })
    .filter(({ id }) => !dismissed.has(id));
}
