import { hash } from 'node:crypto';
import type { AppView } from '../../shared/app-view.ts';
import type { Collection } from '../../shared/collection.ts';
import type { IpcHandlers } from '../../shared/ipc-contract.ts';
import type { Snapshots, SnapshotSlice } from '../../shared/ipc-event.ts';
import type { Leaving } from '../apps/plan/plan-leaving.ts';
import { toPlainError } from '../errors/postern-error.ts';
import type { PosternError } from '../errors/postern-error.ts';
import { endedStatus } from '../kept-status.ts';
import type { EntriesBack } from '../operations/app-changes.ts';
import type { Surface } from '../operations/operation.ts';
import { operationsOf } from '../operations/operations.ts';
import { changeSettings } from '../operations/settings.ts';
import type { SettingsToStore } from '../operations/settings.ts';
import { windowWords } from '../window-words.ts';
import { readCollections, readPrograms } from './apps/read-programs.ts';
import type { ShownChanges } from './apps/shown-changes.ts';
import { appHandlers, settingsFileHandlers, updateHandlers } from './calls/app-handlers.ts';
import { connectionHandlers } from './calls/connection-handlers.ts';
import { identityHandlers } from './calls/identity-handlers.ts';
import { deletionHandler, integrationHandlers, serverPorts, undoHandlers } from './calls/integration-handlers.ts';
import { importHandlers, listHandlers, registryHandlers } from './calls/list-handlers.ts';
import { askLocalHere, localHandlers } from './calls/local-handlers.ts';
import { completeHandler, followHandler, mcpHandlers, resultHandlers } from './calls/mcp-handlers.ts';
import { activityHandlers, programHandlers } from './calls/program-handlers.ts';
import type { DesktopContext } from './desktop-context.ts';
import { describeConnection } from './views/describe-connection.ts';

interface DesktopOptions {
  readonly context: DesktopContext;
  readonly shown: ShownChanges;
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

export function createDesktop({ context, shown, facts, notices, proxy, onInteractive }: DesktopOptions): Desktop {
  const { ports, connections, board, health, settings, settingsFile } = context;
  const dismissed = new Set<string>();

  async function viewSettings() {
    const trouble = await settingsFile.trouble();
    if (!trouble) return await settings.view();
    const { error, lastGood } = trouble;
    return {
      ...settings.defaults(),
      settingsTrouble: { error: toPlainError(error), ...(lastGood && { lastGood }) },
    };
  }

  const surface = surfaceOf(context);
  const scope = {
    ...context,
    ...surface,
    askLocal: askLocalHere(context),
    // Entries leave as they were shown.
    agreeOnEntries: async (_leaving: Leaving, tokens: readonly string[]) => shown.agreed(tokens),
    async onEntriesBack({ entriesLeft }: EntriesBack) {
      const programs = entriesLeft.map(({ name }) => name);
      if (programs.length > 0) context.tell({ event: 'entries-left', programs });
      await surface.changed('programs');
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
    deletions: async () => context.deletions.views(),
    collections: async () => ((await settingsFile.trouble()) ? [] : await readCollections(context)),
    connections: async () => connections.all().map(describeConnection),
    programs: async () => ((await settingsFile.trouble()) ? [] : await readPrograms(context)),
    approvals: async () => context.user.uses.views(),
    heldCalls: async () => context.user.calls.views(),
    questions: async () => context.user.questions.views(),
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
        changeSettings: (change) => changeSettings(scope, change),
        dismiss: (id) => {
          dismissed.add(id);
          context.changed('app');
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
      ...programHandlers(context, shown, surface),
      ...activityHandlers(context),
      ...updateHandlers(context),
      ...undoHandlers(context, surface),
      ...operationsOf(scope),
      'permission:answer': async ({ id, answer }) => {
        context.user.calls.answer(id, answer);
        return null;
      },
      'approval:answer': async ({ id, answer }) => {
        context.user.uses.answer(id, answer);
        return null;
      },
      'question:answer': async ({ id, ...answer }) => {
        await context.user.questions.answer(id, answer);
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
    },
  };
}

/** The window, as operations know it. */
function surfaceOf({ user, board, gateway, settings, changed }: DesktopContext): Surface {
  return {
    user,
    changed: async (...slices) => {
      await gateway?.changed();
      if (slices.includes('app')) await settings.follow();
      if (slices.includes('integrations')) board.awake();
      for (const slice of slices) changed(slice);
    },
  };
}

/** What does not change while the program runs. */
export interface ProgramFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: AppView['runtime'];
  readonly sandbox: AppView['sandbox'];
  /** A server that runs for trying things out. */
  readonly demoUrl?: string | undefined;
}

function describeFacts({
  version,
  platform,
  runtime,
  sandbox,
  demoUrl,
}: ProgramFacts): Pick<AppView, 'version' | 'platform' | 'runtime' | 'sandbox' | 'demo'> {
  return {
    version,
    platform,
    runtime: [...runtime],
    sandbox,
    ...(demoUrl !== undefined && { demo: { url: demoUrl } }),
  };
}

/** What a person should be told once about their files. */
function describeNotices(notices: readonly PosternError[], dismissed: ReadonlySet<string>): AppView['notices'] {
  return notices
    .map((notice) => {
      const { code, message, detail, remedy } = toPlainError(notice);
      return { id: hash('sha256', message, 'hex'), code, message, ...(detail && { detail }), remedy };
    })
    .filter(({ id }) => !dismissed.has(id));
}
