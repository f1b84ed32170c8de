import { refreshReview } from '../../limits.ts';
import { RefreshScheduler } from '../../integration/refresh/refresh-scheduler.ts';
import type { RefreshStatus } from '../../integration/refresh/refresh-scheduler.ts';
import { watchProfile } from '../../storage/profile/watch-profile.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { toCommandError } from '../output/command-error.ts';
import type { Answer } from '../output/output.ts';
import { openServiceNotice } from '../terminal/service-notice.ts';
import { printable, printableLine } from '../text/printable.ts';

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
