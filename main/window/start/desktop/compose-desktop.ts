import type { DesktopView } from '../../../../shared/desktop-view.ts';
import { hasTrait } from '../../../../shared/error-traits.ts';
import type { IpcEvent, Snapshots } from '../../../../shared/ipc-event.ts';
import { createChangeFingerprint } from '../../../apps/apply-change.ts';
import type { EnginePorts } from '../../../engine/engine-ports.ts';
import { sweepOrphans } from '../../../engine/removal/remove-integration.ts';
import { RefreshScheduler } from '../../../engine/refresh/refresh-scheduler.ts';
import { RegistrySearch } from '../../../engine/registry-search.ts';
import { ServerPool } from '../../../engine/use/server-pool.ts';
import { crashSite } from '../../../errors/postern-error.ts';
import type { PosternError } from '../../../errors/postern-error.ts';
import type { GatewayObserver } from '../../../gateway/gateway-dependencies.ts';
import { gatewaySession } from '../../../limits.ts';
import { requireCertificates } from '../../../net/http/trusted-certificates.ts';
import { watchProfile } from '../../../storage/profile/profile-folder.ts';
import type { DesktopShell, WindowStateStore } from '../../../window-ports.ts';
import { PreviewedChanges } from '../../apps/previewed-changes.ts';
import {
  limitNotifications,
  showUserAction,
  notifyChangedTools,
  notifyEndedSignIns,
} from '../../consent/notifications.ts';
import { createWindowUser } from '../../consent/window-user.ts';
import { SignInAttempts } from '../../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../../desktop-context.ts';
import { createDesktop } from '../../desktop.ts';
import type { Desktop, AppFacts } from '../../desktop.ts';
import { ServerIcons } from '../../icons/server-icons.ts';
import type { CallFailure } from '../../ipc/handle-call.ts';
import { Publisher } from '../../ipc/publisher.ts';
import { Deletions } from '../../state/deletions.ts';
import { IntegrationStatuses } from '../../state/integration-statuses.ts';
import { CallResults, WindowCalls } from '../../state/window-calls.ts';
import { WindowSettings } from '../../state/window-settings.ts';
import type { Updates } from '../../updates/updates.ts';
import type { DesktopPorts } from './open-desktop-ports.ts';
import type { WindowGateway } from './window-gateway.ts';

export interface ComposeOptions {
  /** The profile folder. */
  readonly folder: string;
  /** `onHealthChange`: publishes changes of storage health. */
  readonly openPorts: (onHealthChange: () => void) => Promise<DesktopPorts>;
  readonly shell: DesktopShell;
  readonly windowState: WindowStateStore;
  readonly facts: AppFacts;
  readonly notices: () => readonly PosternError[];
  readonly send: (event: IpcEvent) => void;
  readonly onInteractive: () => void;
  /** Absent if Postern cannot be updated. */
  readonly openUpdates?: (ports: EnginePorts, onChange: () => void) => Promise<Updates>;
  /** The gateway that runs in the window's process. */
  readonly openGateway?: (ports: EnginePorts, observer: GatewayObserver, onHttp: () => void) => WindowGateway;
}

export interface ComposedDesktop {
  readonly desktop: Desktop;
  readonly onFailure: (report: CallFailure) => void;
  /** Starts background work. Call it after the first screen, so as not to delay that. */
  startWork(): void;
  /** The machine woke up, or the network came back. */
  wake(): void;
  close(): Promise<void>;
}

/** Composes everything behind the windows, without Electron. */
export async function composeDesktop(options: ComposeOptions): Promise<ComposedDesktop> {
  const { folder, shell, facts } = options;
  const changed: DesktopContext['changed'] = (slice) => publisher.changed(slice);
  const desktopPorts = await options.openPorts(() => {
    changed('desktop');
    changed('integrations');
  });
  const { health, storedData, settingsFile } = desktopPorts;
  const { log, store } = desktopPorts.ports;
  const icons = new ServerIcons({
    ...{ ...desktopPorts.ports, store: desktopPorts.icons, list: store },
    onChange: () => changed('integrations'),
  });
  const ports: EnginePorts = {
    ...desktopPorts.ports,
    onServerIcons: (server, named) => icons.onServerInfo(server, named),
  };
  const attempts = new SignInAttempts(() => changed('connections'));
  const scheduler = new RefreshScheduler(ports, () => changed('integrations'));
  const notify = limitNotifications((notice) => shell.notify(notice), ports.clock);
  const notifiers = [notifyEndedSignIns(notify), notifyChangedTools(notify)];
  const review = (): void => void scheduler.review().catch(() => {});
  const statuses = new IntegrationStatuses({
    refreshing: { status: (id) => scheduler.status(id), review },
    attempts,
    storageProblem: (integration) => health.problemOf(integration),
    iconsOf: (url) => icons.of(url),
    local: ports.local,
    clock: ports.clock,
    onChange: () => changed('integrations'),
  });
  ports.local.onChange(() => changed('integrations'));
  ports.local.onAllow((id) => statuses.forget(id));
  let proxy: DesktopView['proxy'] = { mode: 'direct' };
  const registry = new RegistrySearch(ports.http, ports.clock);
  const settings = new WindowSettings(ports.store, {
    shell,
    registry,
    records: desktopPorts.apps.records,
    windowState: options.windowState,
  });
  const updates = await options.openUpdates?.(ports, () => changed('desktop'));
  const previewedChanges = new PreviewedChanges(desktopPorts.openApps, createChangeFingerprint(ports.random));
  const namesOf = (entries: readonly string[]): readonly string[] => previewedChanges.namesOf(entries);
  const user = createWindowUser({ clock: ports.clock, shell, changed, namesOf });
  const observer: GatewayObserver = {
    user,
    onActionNeeded: showUserAction(statuses, notify),
    onSignedIn: (id) => statuses.markSignedIn(id),
  };
  const gateway = options.openGateway?.(ports, observer, () => changed('desktop'));
  const context: DesktopContext = {
    ports,
    shell,
    user,
    attempts,
    statuses,
    deletions: new Deletions({ ...desktopPorts, ports }, () => {
      changed('deletions');
      changed('collections');
    }),
    health,
    settings,
    storedData,
    settingsFile,
    checkCertificateFile: requireCertificates,
    gateway,
    activity: desktopPorts.activity,
    todaysCalls: desktopPorts.todaysCalls,
    windowState: options.windowState,
    apps: desktopPorts.apps,
    collections: desktopPorts.collections,
    openApps: desktopPorts.openApps,
    freePort: desktopPorts.freePort,
    updates,
    imports: new Map(),
    icons,
    history: desktopPorts.history,
    registry,
    serverPool: new ServerPool({ canAskUser: true }),
    callResults: new CallResults(),
    calls: new WindowCalls(ports.clock, options.send),
    sendEvent: options.send,
    folder,
    changed,
  };
  const desktop = createDesktop({
    context,
    previewedChanges,
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
      if (slice === 'integrations')
        for (const notifyChanges of notifiers) notifyChanges(value as Snapshots['integrations']);
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
        at: hasTrait(error, 'bug') ? crashSite(thrown) : undefined,
      });
    },
    startWork() {
      // Sets the baseline, so that sign-ins that had ended before are not notified.
      changed('integrations');
      void icons.load().then(() => icons.removeUnlisted());
      stopWatching = watchProfile(folder, () => {
        void icons.removeUnlisted();
        void context.serverPool.review(store);
        void context.deletions.review();
        void settings.applyChanged();
        for (const slice of ['desktop', 'integrations', 'apps', 'collections'] as const) changed(slice);
        review();
        void gateway?.changed();
      });
      gateway?.start();
      void health.test().then(async () => {
        review();
        await context.deletions.finishLeftovers();
        await Promise.all([sweepOrphans(ports), desktopPorts.history.sweep(), ports.pins.sweep()]);
      });
      updates?.start();
      void desktopPorts.proxy().then((current) => {
        proxy = current;
        changed('desktop');
      });
    },
    wake: () => scheduler.wake(),
    async close() {
      stopWatching();
      user.close();
      updates?.stop();
      // The process exits soon, whatever is still running.
      ports.clock.after(gatewaySession.hurryAfter, () => ports.local.hurry());
      await Promise.allSettled([desktop.close(), scheduler.stop(), gateway?.close()]);
      await desktopPorts.close();
    },
  };
}
