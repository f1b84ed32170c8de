import { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import type { AppUpdater } from 'electron-updater';
import { PosternError } from '../../../errors/postern-error.ts';
import type { ReleaseFile } from '../../updates/update-feed.ts';
import type { UpdateBackend } from '../../updates/updates.ts';

interface UpdaterOptions {
  /** URL of the feed's folder. */
  readonly url: string;
  readonly platform: NodeJS.Platform;
  /** On Linux: an AppImage replaces its own file; a deb is installed by system tools. */
  readonly appImage: boolean;
  /** For tests. */
  readonly updater?: AppUpdater;
}

/** Milliseconds to fetch a small file. */
const requestTimeout = 30_000;

/** electron-updater, configured to download and install nothing without the user's consent. */
export function createUpdaterBackend(options: UpdaterOptions): UpdateBackend {
  const updater = options.updater ?? createUpdater(options);
  updater.autoDownload = false;
  // Once the user has downloaded an update, the next quit may install it.
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // Whole files only: the signed list contains hashes of whole files.
  updater.disableDifferentialDownload = true;
  // Its log contains whole URLs and server responses.
  updater.logger = null;
  // It would send a persistent id of this computer, for staged rollouts, which Postern does not use.
  Object.assign(updater, { stagingUserIdPromise: { value: Promise.resolve('none') } });
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // Each call reports its failure; an `error` event without a listener would crash the process.
  updater.on('error', () => {});
  limitRedirects(executorOf(updater));
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
        const request = { protocol, hostname, ...(port !== '' && { port }), path, timeout: requestTimeout };
        return (await executorOf(updater).request(request)) ?? '';
      });
    },
    async download(listener) {
      onProgress = listener;
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

/** The updater's own HTTP executor, which uses the system proxy. Not in its public types. */
function executorOf(updater: AppUpdater): Executor {
  return (updater as unknown as { readonly httpExecutor: Executor }).httpExecutor;
}

/** A feed may only name files next to itself; '' for any other, which cannot be in the signed list. */
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
    throw new PosternError(unsigned ? 'UPD_SIGNATURE' : 'UPD_FAILED', { stage: 'postern', cause });
  }
}

/** The two request methods of electron-updater. Not in its public types. */
interface RedirectingExecutor {
  doApiRequest(options: object, token: object, ...rest: unknown[]): Promise<unknown>;
  doDownload(request: object, task: { readonly callback: (error: Error) => void }, ...rest: unknown[]): void;
}

/** Requests per download, including the first: a release page redirects once or twice. */
const maxRequests = 10;

/**
 * Limits redirects of a feed. electron-updater's own limit never counts up (it passes `redirectCount` on unchanged), so
 * a feed that redirects to itself would loop forever.
 */
function limitRedirects(executor: RedirectingExecutor): void {
  const counts = new WeakMap<object, number>();
  const isOverLimit = (download: object): boolean => {
    const count = (counts.get(download) ?? 0) + 1;
    counts.set(download, count);
    return count > maxRequests;
  };
  const doApiRequest = executor.doApiRequest.bind(executor);
  const doDownload = executor.doDownload.bind(executor);
  // All requests for one download share one token, or one task.
  executor.doApiRequest = async (options, token, ...rest) => {
    if (isOverLimit(token)) throw new Error('too many redirects');
    return await doApiRequest(options, token, ...rest);
  };
  executor.doDownload = (request, task, ...rest) => {
    if (isOverLimit(task)) task.callback(new Error('too many redirects'));
    else doDownload(request, task, ...rest);
  };
}
