import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { RefreshScheduler } from '../../engine/refresh/refresh-scheduler.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import { refreshReview } from '../../limits.ts';
import { watchProfile } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { Answer } from '../output/output.ts';
import { printable, printableLine } from '../text.ts';

/**
 * `postern watch`: renews every access before it ends, until it is ended itself, as the window does while it is open.
 * Opens no page and asks nobody. Errors: those of the vault, at once: a service that could renew nothing is not up.
 */
export async function watch(context: CommandContext): Promise<Answer> {
  const { output, signal, situation } = context;
  const { ports, folder } = await openCommandEngine(context);
  const notice = openServiceNotice(process.env);
  const list = await ports.store.list();
  if (list.some(({ signedInAt }) => signedInAt !== undefined)) await (await ports.vault()).ready();
  const scheduler = new RefreshScheduler(ports, (id, status) => {
    if (status) void tell(id, status).catch(() => {});
  });

  async function tell(id: string, { error, nextRefreshAt, isRefreshing }: RefreshStatus): Promise<void> {
    if (isRefreshing) return;
    const name = (await ports.store.read(id))?.name ?? id;
    const failure = error && toCommandError(error, { ...situation(), name });
    output.event('renewal', {
      id,
      name,
      ...(nextRefreshAt !== undefined && { nextRefreshAt }),
      ...(failure && { error: failure }),
    });
    if (failure)
      output.tell(printable(`${printableLine(name)}: ${failure.message} ${output.advise(failure.nextStep)}`));
    notice.status(await describeAll());
  }

  async function describeAll(): Promise<string> {
    const statuses = (await ports.store.list()).map(({ id }) => scheduler.status(id));
    const kept = statuses.filter((status) => status && !status.error).length;
    const failing = statuses.filter((status) => status?.error).length;
    return `Keeps ${kept} fresh${failing > 0 ? `, ${failing} not: postern list` : ''}`;
  }

  const review = (): void =>
    void scheduler
      .review()
      .catch((error: unknown) => ports.log.write('review-failed', { at: String(error instanceof Error) }));
  await scheduler.review();
  const stopWatching = watchProfile(folder, review);
  // Other processes may have changed what no watch tells of.
  const timer = setInterval(review, refreshReview);
  output.event('watching', { servers: list.length });
  output.tell(
    `Keeping the access to ${list.length} ${list.length === 1 ? 'server' : 'servers'} fresh. Ctrl-C ends it.`,
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

/** The program of systemd that speaks its protocol (sd_notify): a datagram socket, which Node has not. */
const programs = ['/usr/bin/systemd-notify', '/bin/systemd-notify'];
/** Milliseconds. */
const patience = 10_000;

/** What the service manager is told, where one has started this process. */
export interface ServiceNotice {
  ready(status: string): void;
  status(text: string): void;
  /** Resolves once it has been told. */
  stopping(): Promise<void>;
}

/** Tells systemd that the service is up, how it does, and that it ends; and that it lives, where that is asked for. */
export function openServiceNotice(
  env: Readonly<Record<string, string | undefined>>,
  candidates: readonly string[] = programs,
): ServiceNotice {
  const program = env['NOTIFY_SOCKET'] ? candidates.find((file) => existsSync(file)) : undefined;
  let told: Promise<void> = Promise.resolve();
  const tell = (...words: string[]): void => {
    if (program === undefined) return;
    // One after the other: a status that is older must not come last.
    told = told.then(
      () =>
        new Promise((resolve) => {
          execFile(program, [`--pid=${process.pid}`, ...words], { timeout: patience }, () => resolve());
        }),
    );
  };
  const watchdog = Number(env['WATCHDOG_USEC']) / 1_000;
  const isWatched = watchdog > 0 && [undefined, '', String(process.pid)].includes(env['WATCHDOG_PID']);
  const timer = isWatched ? setInterval(() => tell('WATCHDOG=1'), watchdog / 2) : undefined;
  timer?.unref();
  return {
    ready: (status) => tell('--ready', `--status=${status}`),
    status: (text) => tell(`--status=${text}`),
    async stopping() {
      clearInterval(timer);
      tell('STOPPING=1');
      await told;
    },
  };
}
