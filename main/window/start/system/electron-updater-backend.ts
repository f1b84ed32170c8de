import { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import type { AppUpdater } from 'electron-updater';
import { PosternError } from '../../../errors/postern-error.ts';
import type { ReleaseFile } from '../../updates/update-feed.ts';
import type { UpdateBackend } from '../../updates/updates.ts';

export interface UpdaterOptions {
  /** The folder of the feed. */
  readonly url: string;
  readonly platform: NodeJS.Platform;
  /** On Linux: an AppImage replaces its own file, a deb is installed by the system's tools. */
  readonly appImage: boolean;
  /** For a test: as electron-updater would make it. */
  readonly updater?: AppUpdater;
}

/** Milliseconds for a small file. */
const requestTime = 30_000;

/** electron-updater, held to what a person wants: nothing is fetched, and nothing replaced, without being asked. */
export function createUpdaterBackend(options: UpdaterOptions): UpdateBackend {
  const updater = options.updater ?? createUpdater(options);
  updater.autoDownload = false;
  // Once a person has had it downloaded, the next quit may put it in place.
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // Whole files only: the hash in the signed list is theirs.
  updater.disableDifferentialDownload = true;
  // Its log tells whole addresses, and what the server answered.
  updater.logger = null;
  // It would send an id that stays with this computer, and keep it in the profile; nothing here is released by parts.
  Object.assign(updater, { stagingUserIdPromise: { value: Promise.resolve('none') } });
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // Failures are answered by each call; without a listener the event would end the program.
  updater.on('error', () => {});
  boundRedirects(executorOf(updater));
  updater.setFeedURL({ provider: 'generic', url: options.url, useMultipleRangeRequest: false });
  let onProgress: ((percent: number) => void) | undefined;
  updater.on('download-progress', ({ percent }) => onProgress?.(percent));

  return {
    async newest() {
      const result = await attempt(() => updater.checkForUpdates());
      if (!result) return undefined;
      const { version, files } = result.updateInfo;
      return { version, files: files.map(({ url, sha512 }): ReleaseFile => ({ name: nameOf(url), sha512 })) };
    },
    async read(name) {
      return await attempt(async () => {
        const { protocol, hostname, port, pathname: path } = new URL(name, options.url);
        const request = { protocol, hostname, ...(port !== '' && { port }), path, timeout: requestTime };
        return (await executorOf(updater).request(request)) ?? '';
      });
    },
    async download(tell) {
      onProgress = tell;
      await attempt(() => updater.downloadUpdate());
    },
    install: () => updater.quitAndInstall(false, true),
  };
}

function createUpdater({ platform, appImage }: UpdaterOptions): AppUpdater {
  if (platform === 'darwin') return new MacUpdater();
  if (platform === 'win32') return new NsisUpdater();
  return appImage ? new AppImageUpdater() : new DebUpdater();
}

interface Executor extends RedirectingExecutor {
  request(options: object): Promise<string | null>;
}

/** With the proxies of the system, as everything else that it fetches. Not part of its public types. */
function executorOf(updater: AppUpdater): Executor {
  return (updater as unknown as { readonly httpExecutor: Executor }).httpExecutor;
}

/** A feed names files beside itself; one in another folder has no name that could stand in the signed list. */
function nameOf(url: string): string {
  return /^[\w.-]+$/.test(url) ? url : '';
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    const unsigned =
      code === 'ERR_UPDATER_INVALID_SIGNATURE' ||
      code === 'ERR_CHECKSUM_MISMATCH' ||
      /code signature/i.test(String(message));
    throw new PosternError(unsigned ? 'UPD_SIGNATURE' : 'UPD_FAILED', { stage: 'app', cause });
  }
}

/** The two ways in which electron-updater asks for something; neither is part of its public types. */
interface RedirectingExecutor {
  doApiRequest(options: object, token: object, ...rest: unknown[]): Promise<unknown>;
  doDownload(request: object, task: { readonly callback: (error: Error) => void }, ...rest: unknown[]): void;
}

/** Requests for one thing, the first one included: a release page takes two or three. */
const mostRounds = 10;

/**
 * Lets a feed redirect a few times. electron-updater's own bound never counts up (its `redirectCount` is handed on as
 * it came), so a feed that redirects to itself would keep the program asking for ever.
 */
function boundRedirects(executor: RedirectingExecutor): void {
  const rounds = new WeakMap<object, number>();
  const isOver = (errand: object): boolean => {
    const round = (rounds.get(errand) ?? 0) + 1;
    rounds.set(errand, round);
    return round > mostRounds;
  };
  const doApiRequest = executor.doApiRequest.bind(executor);
  const doDownload = executor.doDownload.bind(executor);
  // One token, and one task, goes with all requests for one thing.
  executor.doApiRequest = async (options, token, ...rest) => {
    if (isOver(token)) throw new Error('too many redirects');
    return await doApiRequest(options, token, ...rest);
  };
  executor.doDownload = (request, task, ...rest) => {
    if (isOver(task)) task.callback(new Error('too many redirects'));
    else doDownload(request, task, ...rest);
  };
}
