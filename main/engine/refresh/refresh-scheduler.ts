import type { Integration } from '../../../shared/integration.ts';
import { PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import { refreshBackOff, concurrentRefreshes, refreshCheckInterval, refreshSpread } from '../../limits.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { createWorkQueue } from '../work-queue.ts';
import { storedTokens } from './access-token.ts';
import { endLostSignIns, signInRequired } from './refresh-outcome.ts';
import { renewStoredTokens } from './refresh-stored-tokens.ts';
import { backOff, jitterOf, randomShare, untilDue, untilExpired } from './refresh-time.ts';

/** Refresh state of one integration. Only in memory. */
export interface RefreshStatus {
  /** Next refresh or retry, in milliseconds since 1970. Absent: none is planned. */
  readonly nextRefreshAt?: number;
  /** Why the last refresh failed. With `nextRefreshAt` it is retried then; without, the user has to sign in. */
  readonly error?: PosternError;
  readonly isRefreshing: boolean;
}

interface Entry {
  status: RefreshStatus;
  failures: number;
  /** Earliest next request, by the wall clock. */
  notBefore: number;
  cancelTimer: () => void;
}

/**
 * Refreshes the tokens of all integrations in the background: early, with jitter, a few at a time, one at a time per
 * integration across processes. Temporary failures are retried with back-off, and at once after `wake()`. It never
 * opens a window: it reports by `onChange`, and the list records who has to sign in again.
 */
export class RefreshScheduler {
  readonly #ports: EnginePorts;
  readonly #onChange: (id: string, status: RefreshStatus | undefined) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = createWorkQueue(concurrentRefreshes);
  readonly #stopping = new AbortController();

  constructor(ports: EnginePorts, onChange: (id: string, status: RefreshStatus | undefined) => void) {
    this.#ports = ports;
    this.#onChange = onChange;
  }

  status(id: string): RefreshStatus | undefined {
    return this.#entries.get(id)?.status;
  }

  /**
   * Reviews the whole list: at start, and after changes (sign-in, sign-out, removal). An integration backing off after
   * a failure continues to, unless its tokens were refreshed elsewhere. Errors: CFG_*.
   */
  async review(): Promise<void> {
    const integrations = await this.#ports.store.list();
    await endLostSignIns(this.#ports, integrations);
    const present = new Set(integrations.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!present.has(id)) this.#forget(id);
    for (const { id } of integrations) {
      if (this.#isBackingOff(id)) void this.#recheck(id);
      else this.#schedule(id, 0);
    }
  }

  /** The computer woke up, the network is back, or the clock was set: retries everything now, slightly spread. */
  wake(): void {
    for (const [id, entry] of this.#entries) {
      entry.failures = 0;
      this.#schedule(id, this.#randomShare() * refreshSpread);
    }
  }

  /** Resolves when no refresh is in flight: one that was sent may have rotated the token, so it is awaited. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { cancelTimer } of this.#entries.values()) cancelTimer();
    await this.#queue.close();
  }

  #schedule(id: string, wait: number): void {
    this.#entryOf(id).cancelTimer();
    if (this.#stopping.signal.aborted) return;
    this.#entryOf(id).cancelTimer = this.#ports.clock.after(wait, () =>
      this.#queue.add(id, () => this.#refreshIfDue(id)),
    );
  }

  /** The user or another process may have refreshed or ended what is backing off here. */
  async #recheck(id: string): Promise<void> {
    const integration = await this.#ports.store.read(id).catch(() => undefined);
    const tokens = integration && (await storedTokens(this.#ports, integration).catch(() => undefined));
    if (!tokens || (untilDue(tokens, this.#ports.clock) ?? 1) > 0) this.#schedule(id, 0);
  }

  /** Reads the current tokens, since another process may have refreshed them, and refreshes if due. */
  async #refreshIfDue(id: string): Promise<void> {
    try {
      const integration = await this.#ports.store.read(id);
      const hasSignIn = integration?.method !== 'NoAuth' && integration?.issuerKey !== undefined;
      if (!hasSignIn || integration.state === 'signedOut') return this.#forget(id);
      const hasEnded = integration.state === 'reauthenticationRequired';
      const tokens = await (hasEnded ? this.#remainingTokens(integration) : storedTokens(this.#ports, integration));
      const wait = tokens && this.#delayUntilRefresh(id, tokens);
      if (!tokens || (hasEnded && wait === undefined)) return this.#forget(id);
      if (wait === undefined) return await this.#awaitExpiry(integration, tokens);
      if (wait > 0) return this.#plan(id, wait, this.#currentFailure(id, tokens));
      await this.#refresh(integration, tokens);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /**
   * The user has been asked to sign in, but a refusal that did not end the sign-in left tokens that may still be
   * refreshed.
   */
  async #remainingTokens(integration: Integration): Promise<TokenSet | undefined> {
    try {
      return await storedTokens(this.#ports, integration);
    } catch (error) {
      if (error instanceof PosternError) return undefined;
      throw error;
    }
  }

  async #refresh(integration: Integration, tokens: TokenSet): Promise<void> {
    const { id } = integration;
    const entry = this.#entryOf(id);
    this.#report(id, { ...entry.status, isRefreshing: true });
    const renewal = await renewStoredTokens(this.#ports, integration, tokens, 'due', this.#stopping.signal);
    if (renewal.kind === 'postponed') return this.#fail(id, renewal.error, renewal.retryAt);
    if (renewal.kind !== 'fresh') throw renewal.error;
    entry.failures = 0;
    entry.notBefore = this.#ports.clock.now() + refreshBackOff.afterRequest;
    const wait = this.#delayUntilRefresh(id, renewal.tokens);
    if (wait === undefined) this.#report(id, { isRefreshing: false });
    else this.#plan(id, Math.max(wait, 1), undefined);
  }

  /** Waits until an access token without a refresh token expires. Errors: SIGN_IN_REQUIRED once it has expired. */
  async #awaitExpiry(integration: Integration, tokens: TokenSet): Promise<void> {
    this.#report(integration.id, { isRefreshing: false });
    const remaining = untilExpired(tokens, this.#ports.clock) ?? refreshCheckInterval;
    if (remaining > 0) return this.#schedule(integration.id, Math.min(remaining, refreshCheckInterval));
    throw signInRequired(integration);
  }

  /** Milliseconds until the next refresh; `undefined` if there will be none. */
  #delayUntilRefresh(id: string, tokens: TokenSet): number | undefined {
    const remaining = untilDue(tokens, this.#ports.clock);
    if (remaining === undefined || !canRenew(tokens)) return undefined;
    if (remaining > 0) return remaining + jitterOf(tokens, this.#randomShare());
    const rest = this.#entryOf(id).notBefore - this.#ports.clock.now();
    // A wall clock set back must not extend the pause beyond its maximum.
    return Math.min(Math.max(rest, 0), refreshBackOff.afterRequest);
  }

  #plan(id: string, wait: number, error: PosternError | undefined): void {
    const nextRefreshAt = Math.trunc(this.#ports.clock.now() + wait);
    this.#report(id, { nextRefreshAt, ...(error && { error }), isRefreshing: false });
    this.#schedule(id, Math.min(wait, refreshCheckInterval));
  }

  #fail(id: string, thrown: unknown, retryAt?: number): void {
    if (this.#stopping.signal.aborted) return;
    const error = thrown instanceof PosternError ? thrown : new PosternError('INTERNAL', { stage: 'refresh' });
    this.#ports.log.write('refresh-failed', { code: error.code });
    // A postponed refresh is retried, though most likely only the user can help.
    if (retryAt !== undefined) return this.#plan(id, Math.max(retryAt - this.#ports.clock.now(), 0), error);
    if (requiresSignIn(error)) return this.#report(id, { error, isRefreshing: false });
    const entry = this.#entryOf(id);
    entry.failures += 1;
    this.#plan(id, backOff({ failures: entry.failures, wasSent: false }, this.#ports.random), error);
  }

  /** The failure, unless there are new tokens or they are not due after all. */
  #currentFailure(id: string, tokens: TokenSet): PosternError | undefined {
    return (untilDue(tokens, this.#ports.clock) ?? 1) > 0 ? undefined : this.#entryOf(id).status.error;
  }

  #isBackingOff(id: string): boolean {
    const { error, nextRefreshAt } = this.#entries.get(id)?.status ?? {};
    return error !== undefined && nextRefreshAt !== undefined;
  }

  #entryOf(id: string): Entry {
    const entry = this.#entries.get(id) ?? {
      status: { isRefreshing: false },
      failures: 0,
      notBefore: 0,
      cancelTimer: () => {},
    };
    this.#entries.set(id, entry);
    return entry;
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.cancelTimer();
    this.#entries.delete(id);
    this.#onChange(id, undefined);
  }

  #report(id: string, status: RefreshStatus): void {
    if (this.#stopping.signal.aborted) return;
    this.#entryOf(id).status = status;
    this.#onChange(id, status);
  }

  #randomShare(): number {
    return randomShare(this.#ports.random);
  }
}
