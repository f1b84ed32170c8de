import type { UpdateObstacle, UpdateView } from '../../../shared/desktop-view.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { updateInterval } from '../../limits.ts';
import type { Clock, Log } from '../../ports.ts';
import { checksumsName, signatureName, verifyRelease } from './update-feed.ts';
import type { ReleaseFile, UpdateFeed } from './update-feed.ts';

/** The newest release in the feed. */
export interface FeedRelease {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
}

/** Finds, downloads and installs a release. Implemented by electron-updater. */
export interface UpdateBackend {
  /** `undefined`: this installation cannot be updated. Errors: UPD_FAILED. */
  newest(): Promise<FeedRelease | undefined>;
  /** Reads a small file next to the release. Errors: UPD_FAILED. */
  read(name: string): Promise<string>;
  /** Downloads the release from `newest`. Errors: UPD_FAILED, UPD_SIGNATURE. */
  download(onProgress: (percent: number) => void): Promise<void>;
  /** Quits and starts the new version. */
  install(): void;
}

export interface UpdatesOptions {
  /** The running version. */
  readonly version: string;
  readonly feed: UpdateFeed | UpdateObstacle;
  readonly openBackend: (feed: UpdateFeed) => Promise<UpdateBackend>;
  /** Whether the user allows automatic checks. */
  readonly automatic: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onChange: () => void;
}

type UpdateStatus = Omit<UpdateView, 'automatic' | 'obstacle'>;

/**
 * Postern updates: checked at start and daily, downloaded and installed only on the user's request. Never a downgrade,
 * and never a release that is not signed by the publisher.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #status: UpdateStatus;
  #backend: Promise<UpdateBackend> | undefined;
  #checking: Promise<void> | undefined;
  #stop: (() => void) | undefined;
  #isStopped = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#status = { state: typeof options.feed === 'string' ? 'off' : 'idle' };
  }

  async view(): Promise<UpdateView> {
    const { feed, automatic } = this.#options;
    return { ...this.#status, automatic: await automatic(), ...(typeof feed === 'string' && { obstacle: feed }) };
  }

  /** Checks now and then daily, unless the user has turned that off. */
  start(): void {
    const { feed, automatic, clock } = this.#options;
    if (typeof feed === 'string' || this.#isStopped) return;
    void automatic()
      .then(async (isAllowed) => isAllowed && (await this.check()))
      .catch(() => {})
      .finally(() => {
        if (!this.#isStopped) this.#stop = clock.after(updateInterval, () => this.start());
      });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stop?.();
  }

  /** Checks for a newer version; the view shows the outcome. Never rejects. */
  async check(): Promise<void> {
    if (this.#status.state !== 'idle' && this.#status.state !== 'available') return await this.#checking;
    this.#setStatus({ ...this.#lastCheck(), state: 'checking' });
    this.#checking = this.#findNewer().then(
      (version) => this.#settle(version === undefined ? { state: 'idle' } : { state: 'available', version }),
      (error: unknown) => this.#settle({ state: 'idle' }, error),
    );
    await this.#checking;
  }

  /** Downloads the release that was found. Never rejects. */
  async download(): Promise<void> {
    const { version } = this.#status;
    if (this.#status.state !== 'available' || version === undefined) return;
    const found = { ...this.#lastCheck(), version };
    this.#setStatus({ ...found, state: 'downloading', percent: 0 });
    try {
      const backend = await this.#open();
      await backend.download((percent) => {
        const rounded = Math.min(100, Math.max(0, Math.floor(percent)));
        if (rounded !== this.#status.percent) this.#setStatus({ ...found, state: 'downloading', percent: rounded });
      });
      this.#setStatus({ ...found, state: 'ready' });
    } catch (error) {
      this.#settle({ state: 'available', version }, error);
    }
  }

  /** Quits, and starts the new version. */
  async install(): Promise<void> {
    if (this.#status.state === 'ready') (await this.#open()).install();
  }

  /** The version of a newer release with a valid signature. */
  async #findNewer(): Promise<string | undefined> {
    const { version: running, feed } = this.#options;
    const backend = await this.#open();
    const release = await backend.newest();
    const difference = release === undefined ? 0 : compareVersions(release.version, running);
    if (release === undefined || difference === 0) return undefined;
    if (difference < 0) throw new PosternError('UPD_DOWNGRADE', { stage: 'postern' });
    const [checksums, signature] = await Promise.all([backend.read(checksumsName), backend.read(signatureName)]);
    verifyRelease({ ...release, checksums, signature }, (feed as UpdateFeed).publicKey);
    return release.version;
  }

  #lastCheck(): Pick<UpdateStatus, 'checkedAt'> {
    const { checkedAt } = this.#status;
    return checkedAt === undefined ? {} : { checkedAt };
  }

  async #open(): Promise<UpdateBackend> {
    const { feed, openBackend } = this.#options;
    this.#backend ??= openBackend(feed as UpdateFeed);
    return await this.#backend;
  }

  #settle(status: UpdateStatus, thrown?: unknown): void {
    const { clock, log } = this.#options;
    const error = thrown === undefined ? undefined : toPlainError(thrown);
    if (error) log.write('update-failed', { code: error.code, cause: error.cause });
    this.#setStatus({ ...status, checkedAt: clock.now(), ...(error && { error }) });
  }

  #setStatus(status: UpdateStatus): void {
    this.#status = status;
    this.#options.onChange();
  }
}

/** Positive if `left` is newer (semver 2.0.0, 11). Ignores build metadata. Invalid versions are oldest. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [parse(left), parse(right)];
  if (!a || !b) return (a ? 1 : 0) - (b ? 1 : 0);
  for (const [index, number] of a.core.entries()) {
    const difference = number - (b.core[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version without a pre-release part is newer than one with.
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index += 1) {
    const difference = comparePart(a.pre[index], b.pre[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(text: string): { readonly core: readonly number[]; readonly pre: readonly string[] } | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (!match) return undefined;
  return { core: match.slice(1, 4).map(Number), pre: match[4]?.split('.') ?? [] };
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return (left === undefined ? -1 : 0) + (right === undefined ? 1 : 0);
  const [a, b] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (a && b) return Number(left) - Number(right);
  if (a !== b) return a ? -1 : 1;
  return left === right ? 0 : left < right ? -1 : 1;
}
