import type { Integration } from '../../../shared/integration.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import { refreshBackOff, refreshesAtOnce, refreshReview, refreshSpread } from '../../limits.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { createWorkQueue } from '../work-queue.ts';
import { storedTokens } from './access-token.ts';
import { endLostSignIns, signInRequired } from './refresh-outcome.ts';
import { renewStoredTokens } from './refresh-stored-tokens.ts';
import { backOff, jitterOf, randomShare, untilDue, untilExpired } from './refresh-time.ts';

/** How the tokens of one integration are kept alive, as of now. Only in memory: the list keeps none of it. */
export interface RefreshStatus {
  /** Milliseconds since 1970 of the next refresh, or of the next try after a failure. Absent: none is planned. */
  readonly nextRefreshAt?: number;
  /** Why the last refresh failed. With `nextRefreshAt`: it is tried again then. Without: a user has to sign in. */
  readonly error?: PosternError;
  readonly isRefreshing: boolean;
}

interface Entry {
  status: RefreshStatus;
  failures: number;
  /** Wall clock before which nothing is sent for it again. */
  notBefore: number;
  cancelTimer: () => void;
}

/**
 * Keeps the tokens of all integrations fresh in the background: early, with jitter, a few at a time, in one flight
 * with every other process. Failures that pass are tried again ever more slowly, and at once after `wake()`. It never
 * opens a window: `onChange` tells, and the list already says who has to sign in again.
 */
export class RefreshScheduler {
  readonly #ports: EnginePorts;
  readonly #onChange: (id: string, status: RefreshStatus | undefined) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = createWorkQueue(refreshesAtOnce);
  readonly #end = new AbortController();

  constructor(ports: EnginePorts, onChange: (id: string, status: RefreshStatus | undefined) => void) {
    this.#ports = ports;
    this.#onChange = onChange;
  }

  status(id: string): RefreshStatus | undefined {
    return this.#entries.get(id)?.status;
  }

  /**
   * Looks at the whole list: at start, and after it changed (a sign-in, a sign-out, a removal). What rests after a
   * failure goes on resting, unless somebody else has renewed it. Errors: CFG_*.
   */
  async review(): Promise<void> {
    const integrations = await this.#ports.store.list();
    await endLostSignIns(this.#ports, integrations);
    const present = new Set(integrations.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!present.has(id)) this.#forget(id);
    for (const { id } of integrations) {
      if (this.#isResting(id)) void this.#look(id);
      else this.#consider(id, 0);
    }
  }

  /** The computer woke up, the network came back, or the clock was set: what waits is tried now, spread a little. */
  wake(): void {
    for (const [id, entry] of this.#entries) {
      entry.failures = 0;
      this.#consider(id, this.#share() * refreshSpread);
    }
  }

  /** Answers when no refresh is under way any more: one that was sent may have rotated, so it is waited for. */
  async stop(): Promise<void> {
    this.#end.abort();
    for (const { cancelTimer } of this.#entries.values()) cancelTimer();
    await this.#queue.close();
  }

  #consider(id: string, wait: number): void {
    this.#entryOf(id).cancelTimer();
    if (this.#end.signal.aborted) return;
    this.#entryOf(id).cancelTimer = this.#ports.clock.after(wait, () => this.#queue.add(id, () => this.#visit(id)));
  }

  /** A person or another process may have renewed, or ended, what rests here. */
  async #look(id: string): Promise<void> {
    const integration = await this.#ports.store.read(id).catch(() => undefined);
    const tokens = integration && (await storedTokens(this.#ports, integration).catch(() => undefined));
    if (!tokens || (untilDue(tokens, this.#ports.clock) ?? 1) > 0) this.#consider(id, 0);
  }

  /** Reads what is there now, since another process may have renewed it, and renews it if it is due. */
  async #visit(id: string): Promise<void> {
    try {
      const integration = await this.#ports.store.read(id);
      const signsIn = integration?.method !== 'NoAuth' && integration?.issuerKey !== undefined;
      if (!signsIn || integration.state === 'signedOut') return this.#forget(id);
      const hasEnded = integration.state === 'reauthenticationRequired';
      const tokens = await (hasEnded ? this.#leftOf(integration) : storedTokens(this.#ports, integration));
      const wait = tokens && this.#waitFor(id, tokens);
      if (!tokens || (hasEnded && wait === undefined)) return this.#forget(id);
      if (wait === undefined) return await this.#awaitEnd(integration, tokens);
      if (wait > 0) return this.#plan(id, wait, this.#failureStill(id, tokens));
      await this.#refresh(integration, tokens);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** A user is asked to sign in, but a refusal that did not end the sign-in has left tokens that may still be renewed. */
  async #leftOf(integration: Integration): Promise<TokenSet | undefined> {
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
    this.#tell(id, { ...entry.status, isRefreshing: true });
    const renewal = await renewStoredTokens(this.#ports, integration, tokens, 'due', this.#end.signal);
    if (renewal.kind === 'postponed') return this.#fail(id, renewal.error, renewal.retryAt);
    if (renewal.kind !== 'fresh') throw renewal.error;
    entry.failures = 0;
    entry.notBefore = this.#ports.clock.now() + refreshBackOff.afterRequest;
    const wait = this.#waitFor(id, renewal.tokens);
    if (wait === undefined) this.#tell(id, { isRefreshing: false });
    else this.#plan(id, Math.max(wait, 1), undefined);
  }

  /** Waits for the end of access that has no refresh token. Errors: SIGN_IN_REQUIRED once it has ended. */
  async #awaitEnd(integration: Integration, tokens: TokenSet): Promise<void> {
    this.#tell(integration.id, { isRefreshing: false });
    const left = untilExpired(tokens, this.#ports.clock) ?? refreshReview;
    if (left > 0) return this.#consider(integration.id, Math.min(left, refreshReview));
    throw signInRequired(integration);
  }

  /** Milliseconds until the next refresh; `undefined` where there will be none. */
  #waitFor(id: string, tokens: TokenSet): number | undefined {
    const left = untilDue(tokens, this.#ports.clock);
    if (left === undefined || !canRenew(tokens)) return undefined;
    if (left > 0) return left + jitterOf(tokens, this.#share());
    const rest = this.#entryOf(id).notBefore - this.#ports.clock.now();
    // A wall clock that was set back is no reason to wait longer than that rest ever is.
    return Math.min(Math.max(rest, 0), refreshBackOff.afterRequest);
  }

  #plan(id: string, wait: number, error: PosternError | undefined): void {
    const nextRefreshAt = Math.trunc(this.#ports.clock.now() + wait);
    this.#tell(id, { nextRefreshAt, ...(error && { error }), isRefreshing: false });
    this.#consider(id, Math.min(wait, refreshReview));
  }

  #fail(id: string, thrown: unknown, retryAt?: number): void {
    if (this.#end.signal.aborted) return;
    const error = thrown instanceof PosternError ? thrown : new PosternError('INTERNAL', { stage: 'refresh' });
    this.#ports.log.write('refresh-failed', { code: error.code });
    // What is postponed is tried again then, though most likely only a user can help.
    if (retryAt !== undefined) return this.#plan(id, Math.max(retryAt - this.#ports.clock.now(), 0), error);
    if (wantsSignIn(error)) return this.#tell(id, { error, isRefreshing: false });
    const entry = this.#entryOf(id);
    entry.failures += 1;
    this.#plan(id, backOff({ failures: entry.failures, wasSent: false }, this.#ports.random), error);
  }

  /** A failure is over once there are other tokens, or they are not due after all. */
  #failureStill(id: string, tokens: TokenSet): PosternError | undefined {
    return (untilDue(tokens, this.#ports.clock) ?? 1) > 0 ? undefined : this.#entryOf(id).status.error;
  }

  #isResting(id: string): boolean {
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

  #tell(id: string, status: RefreshStatus): void {
    if (this.#end.signal.aborted) return;
    this.#entryOf(id).status = status;
    this.#onChange(id, status);
  }

  #share(): number {
    return randomShare(this.#ports.random);
  }
}
