import type { AppView } from '../../shared/app-view.ts';
import type { IpcHandlers } from '../../shared/ipc-handlers.ts';
import type { Snapshots, SnapshotSlice } from '../../shared/snapshots.ts';
import { activityHandlers } from './calls/activity-handlers.ts';
import { appHandlers } from './calls/app-handlers.ts';
import { collectionHandlers } from './calls/collection-handlers.ts';
import { deletionHandler } from './calls/deletion-handler.ts';
import { completeHandler } from './calls/complete-handler.ts';
import { followHandler } from './calls/follow-handler.ts';
import { connectionHandlers } from './calls/connection-handlers.ts';
import type { ProgramFacts } from './views/describe-app.ts';
import { describeFacts, describeNotices } from './views/describe-app.ts';
import { readCollections } from './programs/read-collections.ts';
import { readPrograms } from './programs/read-programs.ts';
import { describeConnection } from './views/describe-connection.ts';
import type { DesktopContext } from './desktop-context.ts';
import { identityHandlers } from './calls/identity-handlers.ts';
import { importHandlers } from './calls/import-handlers.ts';
import { integrationHandlers } from './calls/integration-handlers.ts';
import { listHandlers } from './calls/list-handlers.ts';
import { localHandlers } from './calls/local-handlers.ts';
import { mcpHandlers } from './calls/mcp-handlers.ts';
import { registryHandlers } from './calls/registry-handlers.ts';
import { resultHandlers } from './calls/result-handlers.ts';
import { settingsFileHandlers } from './calls/settings-file-handlers.ts';
import { permissionHandlers } from './calls/permission-handlers.ts';
import { programHandlers } from './calls/program-handlers.ts';
import { toPlainError } from '../plain-error.ts';
import { createSeal } from '../programs/change/seal-change.ts';
import { ShownChanges } from './programs/shown-changes.ts';
import { undoHandlers } from './calls/undo-handlers.ts';
import { updateHandlers } from './calls/update-handlers.ts';
import type { PosternError } from '../postern-error.ts';

export interface DesktopOptions {
  readonly context: DesktopContext;
  readonly facts: ProgramFacts;
  readonly notices: () => readonly PosternError[];
  readonly proxy: () => AppView['proxy'];
  /** The first screen can be used. */
  readonly onInteractive: () => void;
}

/** The program as its windows know it: what they may ask, and what they are shown. Knows no electron. */
export interface Desktop {
  readonly handlers: IpcHandlers;
  /** One slice as it is now. */
  snapshot<Slice extends SnapshotSlice>(slice: Slice): Promise<Snapshots[Slice]>;
  /** No window is there any more: nobody sees its sign-ins, and nobody uses what is open for it. */
  windowsClosed(): void;
  /** Ends every flow; resolves when they have ended. */
  close(): Promise<void>;
}

export function createDesktop({ context, facts, notices, proxy, onInteractive }: DesktopOptions): Desktop {
  const { ports, connections, board, health, settings, settingsFile, programs } = context;
  const dismissed = new Set<string>();
  const shown = new ShownChanges(context.openPrograms, createSeal(ports.random));

  async function viewSettings() {
    const trouble = await settingsFile.trouble();
    if (!trouble) return await settings.view();
    const { error, lastGood } = trouble;
    return {
      ...settings.defaults(),
      settingsTrouble: { error: toPlainError(error), ...(lastGood && { lastGood }) },
    };
  }

  const snapshots: { readonly [Slice in SnapshotSlice]: () => Promise<Snapshots[Slice]> } = {
    app: async () => ({
      ...describeFacts(facts),
      proxy: proxy(),
      ...(await viewSettings()),
      storage: health.view(),
      ...(context.updates && { update: await context.updates.view() }),
      notices: describeNotices(notices(), dismissed),
      ...(context.gateway?.httpTrouble && { httpTrouble: toPlainError(context.gateway.httpTrouble) }),
    }),
    integrations: async () => ((await settingsFile.trouble()) ? [] : board.views(await ports.store.list())),
    deletions: async () => [...context.deletions.views(), ...context.collectionRemovals.views()],
    collections: async () => ((await settingsFile.trouble()) ? [] : await readCollections(context)),
    connections: async () => connections.all().map(describeConnection),
    programs: async () =>
      (await settingsFile.trouble()) ? [] : await readPrograms(programs, await ports.store.settings()),
    approvals: async () => context.questions.views(),
    heldCalls: async () => context.heldCalls.views(),
    questions: async () => context.serverQuestions.views(),
  };

  return {
    handlers: {
      ...appHandlers(context, {
        snapshots: async () => ({
          app: await snapshots.app(),
          integrations: await snapshots.integrations(),
          deletions: await snapshots.deletions(),
          connections: await snapshots.connections(),
          collections: await snapshots.collections(),
          programs: await snapshots.programs(),
          approvals: await snapshots.approvals(),
          heldCalls: await snapshots.heldCalls(),
          questions: await snapshots.questions(),
        }),
        onInteractive,
        dismiss: (id) => {
          dismissed.add(id);
          context.changed('app');
        },
      }),
      ...deletionHandler(context, shown),
      ...collectionHandlers(context, shown),
      ...connectionHandlers(context),
      ...importHandlers(context),
      ...integrationHandlers(context, shown),
      ...identityHandlers(context),
      ...mcpHandlers(context),
      ...followHandler(context),
      ...completeHandler(context),
      ...resultHandlers(context),
      ...listHandlers(context),
      ...registryHandlers(context),
      ...localHandlers(context),
      ...settingsFileHandlers(context),
      ...programHandlers(context, shown),
      ...activityHandlers(context),
      ...permissionHandlers(context),
      ...updateHandlers(context),
      ...undoHandlers(context),
      'approval:answer': async ({ id, answer }) => {
        context.questions.answer(id, answer);
        return null;
      },
      'question:answer': async ({ id, ...answer }) => {
        await context.serverQuestions.answer(id, answer);
        return null;
      },
    },
    snapshot: (slice) => snapshots[slice](),
    windowsClosed() {
      connections.end();
      context.calls.end();
      void context.keptServers.end();
    },
    async close() {
      connections.end();
      context.calls.end();
      await Promise.all([connections.ended(), context.keptServers.end()]);
      await context.deletions.close();
      await context.collectionRemovals.close();
    },
  };
}
