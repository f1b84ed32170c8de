import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { RefreshScheduler } from '../../engine/refresh/refresh-scheduler.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import { refreshCheckInterval } from '../../limits.ts';
import { watchProfile } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandResult } from '../output/output.ts';
import { printable, printableLine } from '../text.ts';

/**
 * `postern watch`: refreshes access tokens before they expire, as the window does while it is open. Opens no page and
 * asks nothing. Errors: those of the vault, at start, because without it nothing could be refreshed.
 */
export async function watch(context: CommandContext): Promise<CommandResult> {
  const { output, signal, adviceContext } = context;
  const { ports, folder } = await context.openEngine();
  const notice = openServiceNotice(process.env);
  const list = await ports.store.list();
  if (list.some(({ signedInAt }) => signedInAt !== undefined)) await (await ports.vault()).ready();
  const scheduler = new RefreshScheduler(ports, (id, status) => {
    if (status) void report(id, status).catch(() => {});
  });

  async function report(id: string, { error, nextRefreshAt, isRefreshing }: RefreshStatus): Promise<void> {
    if (isRefreshing) return;
    const name = (await ports.store.read(id))?.name ?? id;
    const failure = error && toCommandError(error, { ...adviceContext(), name });
    output.event('renewal', {
      id,
      name,
      ...(nextRefreshAt !== undefined && { nextRefreshAt }),
      ...(failure && { error: failure }),
    });
    if (failure)
      output.notify(printable(`${printableLine(name)}: ${failure.message} ${output.advise(failure.nextStep)}`));
    notice.status(await describeAll());
  }

  async function describeAll(): Promise<string> {
    const statuses = (await ports.store.list()).map(({ id }) => scheduler.status(id));
    const fresh = statuses.filter((status) => status && !status.error).length;
    const failing = statuses.filter((status) => status?.error).length;
    return `${fresh} fresh${failing > 0 ? `, ${failing} failing (see postern list)` : ''}`;
  }

  const review = (): void =>
    void scheduler
      .review()
      .catch((error: unknown) => ports.log.write('review-failed', { at: String(error instanceof Error) }));
  await scheduler.review();
  const stopWatching = watchProfile(folder, review);
  // File watching can miss changes by other processes.
  const timer = setInterval(review, refreshCheckInterval);
  output.event('watching', { servers: list.length });
  output.notify(
    `Keeping ${list.length === 1 ? '1 server' : `${list.length} servers`} signed in. Press Ctrl-C to stop.`,
  );
  notice.ready(await describeAll());
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(timer);
  stopWatching();
  await Promise.all([notice.stopping(), scheduler.stop()]);
  return { fields: {} };
}

/** systemd-notify, because sd_notify needs a Unix datagram socket, which Node does not have. */
const notifyPrograms = ['/usr/bin/systemd-notify', '/bin/systemd-notify'];
/** Milliseconds. */
const notifyTimeout = 10_000;

/** Notifications to systemd, if it started this process. */
interface ServiceNotice {
  ready(status: string): void;
  status(text: string): void;
  /** Resolves when systemd was notified. */
  stopping(): Promise<void>;
}

/** Notifies systemd of readiness, status and stopping, and of liveness if a watchdog is configured. */
export function openServiceNotice(
  env: Readonly<Record<string, string | undefined>>,
  candidates: readonly string[] = notifyPrograms,
): ServiceNotice {
  const program = env['NOTIFY_SOCKET'] ? candidates.find((file) => existsSync(file)) : undefined;
  let lastSent: Promise<void> = Promise.resolve();
  const send = (...words: string[]): void => {
    if (program === undefined) return;
    // In sequence, so that an older status does not arrive last.
    lastSent = lastSent.then(
      () =>
        new Promise((resolve) => {
          execFile(program, [`--pid=${process.pid}`, ...words], { timeout: notifyTimeout }, () => resolve());
        }),
    );
  };
  const watchdog = Number(env['WATCHDOG_USEC']) / 1_000;
  const isWatched = watchdog > 0 && [undefined, '', String(process.pid)].includes(env['WATCHDOG_PID']);
  const timer = isWatched ? setInterval(() => send('WATCHDOG=1'), watchdog / 2) : undefined;
  timer?.unref();
  return {
    ready: (status) => send('--ready', `--status=${status}`),
    status: (text) => send(`--status=${text}`),
    async stopping() {
      clearInterval(timer);
      send('STOPPING=1');
      await lastSent;
    },
  };
}
