import type { AppView } from '../../../../shared/app-view.ts';
import { isAbout } from '../../../../shared/error-facts.ts';
import type { IpcEvent, Snapshots } from '../../../../shared/ipc-event.ts';
import { createSeal } from '../../../apps/make-change.ts';
import type { EnginePorts } from '../../../engine/engine-ports.ts';
import { sweepOrphans } from '../../../engine/leave/remove-integration.ts';
import { RefreshScheduler } from '../../../engine/refresh/refresh-scheduler.ts';
import { RegistrySearch } from '../../../engine/registry-search.ts';
import { KeptServers } from '../../../engine/use/server-cache.ts';
import { crashSite } from '../../../errors/postern-error.ts';
import type { PosternError } from '../../../errors/postern-error.ts';
import type { GatewayWatch } from '../../../gateway/gateway-ports.ts';
import { gatewaySession } from '../../../limits.ts';
import { requireCertificates } from '../../../net/http/trusted-certificates.ts';
import { watchProfile } from '../../../storage/profile/profile-folder.ts';
import type { DesktopShell, WindowMemory } from '../../../window-ports.ts';
import { ShownChanges } from '../../apps/shown-changes.ts';
import { limitNotices, showNeed, tellChangedTools, tellEndedSignIns } from '../../asking/notices.ts';
import { createWindowUser } from '../../asking/window-user.ts';
import { Connections } from '../../connections/connections.ts';
import type { DesktopContext } from '../../desktop-context.ts';
import { createDesktop } from '../../desktop.ts';
import type { Desktop, ProgramFacts } from '../../desktop.ts';
import { ServerIcons } from '../../icons/server-icons.ts';
import type { CallReport } from '../../ipc/answer-call.ts';
import { Publisher } from '../../ipc/publisher.ts';
import { Deletions } from '../../state/deletions.ts';
import { IntegrationBoard } from '../../state/integration-board.ts';
import { KeptResults, WindowCalls } from '../../state/window-calls.ts';
import { WindowSettings } from '../../state/window-settings.ts';
import type { Updates } from '../../updates/updates.ts';
import type { DesktopPorts } from './open-desktop-ports.ts';
import type { WindowGateway } from './window-gateway.ts';

export interface ComposeOptions {
  /** The profile folder. */
  readonly folder: string;
  /** Made here, since storage health is published. */
  readonly openPorts: (onHealth: () => void) => Promise<DesktopPorts>;
  readonly shell: DesktopShell;
  readonly memory: WindowMemory;
  readonly facts: ProgramFacts;
  readonly notices: () => readonly PosternError[];
  readonly send: (event: IpcEvent) => void;
  readonly onInteractive: () => void;
  /** Newer versions of the program, where it can have any. */
  readonly openUpdates?: (ports: EnginePorts, onChange: () => void) => Promise<Updates>;
  /** What serves programs as long as the window's program runs. */
  readonly openGateway?: (ports: EnginePorts, watch: GatewayWatch, onHttp: () => void) => WindowGateway;
}

export interface ComposedDesktop {
  readonly desktop: Desktop;
  readonly onFailure: (report: CallReport) => void;
  /** After the first screen: nothing of this may hold it up. */
  startWork(): void;
  /** The machine woke up, or the network came back. */
  wake(): void;
  close(): Promise<void>;
}

/** The whole program behind its windows, composed; knows no electron. */
export async function composeDesktop(options: ComposeOptions): Promise<ComposedDesktop> {
  const { folder, shell, facts } = options;
  const changed: DesktopContext['changed'] = (slice) => publisher.changed(slice);
  const opened = await options.openPorts(() => {
    changed('app');
    changed('integrations');
  });
  const { health, kept, settingsFile } = opened;
  const { log, store } = opened.ports;
  const icons = new ServerIcons({
    ...{ ...opened.ports, store: opened.icons, list: store },
    onChange: () => changed('integrations'),
  });
  const ports: EnginePorts = {
    ...opened.ports,
    onGreeting: (server, named) => icons.greeted(server, named),
  };
  const connections = new Connections(() => changed('connections'));
  const scheduler = new RefreshScheduler(ports, () => changed('integrations'));
  const notify = limitNotices((notice) => shell.notify(notice), ports.clock);
  const tell = [tellEndedSignIns(notify), tellChangedTools(notify)];
  const review = (): void => void scheduler.review().catch(() => {});
  const board = new IntegrationBoard({
    refreshing: { status: (id) => scheduler.status(id), review },
    connections,
    storageProblem: (integration) => health.problemOf(integration),
    iconsOf: (url) => icons.of(url),
    local: ports.local,
    clock: ports.clock,
    onChange: () => changed('integrations'),
  });
  ports.local.onChange(() => changed('integrations'));
  ports.local.onAllow((id) => board.forget(id));
  let proxy: AppView['proxy'] = { mode: 'direct' };
  const registry = new RegistrySearch(ports.http, ports.clock);
  const settings = new WindowSettings(ports.store, {
    shell,
    registry,
    records: opened.programs.records,
    memory: options.memory,
  });
  const updates = await options.openUpdates?.(ports, () => changed('app'));
  const shown = new ShownChanges(opened.openPrograms, createSeal(ports.random));
  const namesOf = (entries: readonly string[]): readonly string[] => shown.namesOf(entries);
  const user = createWindowUser({ clock: ports.clock, shell, changed, namesOf });
  const watch: GatewayWatch = {
    user,
    onNeed: showNeed(board, notify),
    onSignedIn: (id) => board.signedIn(id),
  };
  const gateway = options.openGateway?.(ports, watch, () => changed('app'));
  const context: DesktopContext = {
    ports,
    shell,
    user,
    connections,
    board,
    deletions: new Deletions({ ...opened, ports }, () => {
      changed('deletions');
      changed('collections');
    }),
    health,
    settings,
    kept,
    settingsFile,
    checkCertificateFile: requireCertificates,
    gateway,
    activity: opened.activity,
    programs: opened.programs,
    collections: opened.collections,
    openPrograms: opened.openPrograms,
    freePort: opened.freePort,
    updates,
    imports: new Map(),
    icons,
    history: opened.history,
    registry,
    keptServers: new KeptServers({ asks: true }),
    results: new KeptResults(),
    calls: new WindowCalls(ports.clock, options.send),
    tell: options.send,
    folder,
    changed,
  };
  const desktop = createDesktop({
    context,
    shown,
    facts,
    notices: options.notices,
    proxy: () => proxy,
    onInteractive: options.onInteractive,
  });
  const onFailure = (error: unknown): void => log.write('publish-failed', { at: crashSite(error) });
  const publisher = new Publisher({
    clock: ports.clock,
    async snapshot(slice) {
      const value = await desktop.snapshot(slice);
      if (slice === 'integrations') for (const each of tell) each(value as Snapshots['integrations']);
      return value;
    },
    send: options.send,
    onFailure,
  });
  let stopWatching = (): void => {};

  return {
    desktop,
    onFailure: ({ call, error, thrown }) => {
      const { code, cause, stage } = error;
      log.write('call-failed', {
        command: call,
        code,
        cause,
        stage,
        at: isAbout(error, 'bug') ? crashSite(thrown) : undefined,
      });
    },
    startWork() {
      // A sign-in that had ended before is not news.
      changed('integrations');
      void icons.load().then(() => icons.forgetOthers());
      stopWatching = watchProfile(folder, () => {
        void icons.forgetOthers();
        void context.keptServers.review(store);
        void context.deletions.review();
        void settings.follow();
        for (const slice of ['app', 'integrations', 'programs', 'collections'] as const) changed(slice);
        review();
        void gateway?.changed();
      });
      gateway?.start();
      void health.test().then(async () => {
        review();
        await context.deletions.finishLeft();
        await Promise.all([sweepOrphans(ports), opened.history.sweep(), ports.pins.sweep()]);
      });
      updates?.start();
      void opened.proxy().then((found) => {
        proxy = found;
        changed('app');
      });
    },
    wake: () => scheduler.wake(),
    async close() {
      stopWatching();
      user.close();
      updates?.stop();
      // The program ends soon, whatever still runs.
      ports.clock.after(gatewaySession.hurry, () => ports.local.hurry());
      await Promise.allSettled([desktop.close(), scheduler.stop(), gateway?.close()]);
      await opened.close();
    },
  };
}
