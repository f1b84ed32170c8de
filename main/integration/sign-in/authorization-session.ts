import { stateLifetime } from '../../limits.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import { stateOf, validateAuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import { SignInEnd } from '../../oauth/authorization/sign-in-end.ts';
import { isSameText } from '../../oauth/wire/is-same-text.ts';
import type { CallbackVerdict, LinkAnswer } from '../../callback-ports.ts';
import type { Clock } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

/**
 * One authorization request that waits for its response: the session that the state token keys (spec 2.7).
 * Nothing but the right state can end it, so neither a web page nor a stale tab can cancel a sign-in (RFC 9700 4.7).
 */
export class AuthorizationSession {
  /** Settles once: what the authorization server answered, or why no answer counts. */
  readonly response: Promise<AuthorizationResponse>;
  request: AuthorizationRequest;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly #clock: Clock;
  readonly #assertNewest: () => void;
  readonly #onAnswer: () => void;
  readonly #settle: PromiseWithResolvers<AuthorizationResponse>;
  #cancelTimer: () => void = () => {};
  /** Set once the state is dead: what its callback is told from then on. */
  #end: Exclude<CallbackVerdict, 'done'> | undefined;
  /** Words of one-time links, and whether each was used. */
  readonly #links = new Map<string, 'new' | 'used'>();

  /**
   * `timeout` in milliseconds; the state's own ten minutes bound it. `assertNewest` throws FLOW_SUPERSEDED. `onAnswer` is
   * told of the one callback that counts.
   */
  constructor(
    clock: Clock,
    request: AuthorizationRequest,
    timeout: number | undefined,
    assertNewest: () => void = () => {},
    onAnswer: () => void = () => {},
  ) {
    this.request = request;
    this.#clock = clock;
    this.#assertNewest = assertNewest;
    this.#onAnswer = onAnswer;
    this.#settle = Promise.withResolvers<AuthorizationResponse>();
    this.response = this.#settle.promise;
    // Whoever awaits it sees the rejection; before that nobody may be listening yet.
    this.response.catch(() => {});
    const wait = Math.min(timeout ?? stateLifetime, stateLifetime);
    this.expiresAt = clock.now() + wait;
    this.#cancelTimer = clock.after(wait, () => {
      const { redirectUri: callbackUrl } = request;
      const remedy = { kind: 'start-again', tooShort: wait < stateLifetime, callbackUrl } as const;
      this.end(new SignInEnd('expired', { stage: 'authorization', detail: { seconds: wait / 1_000 }, remedy }));
    });
  }

  /**
   * Judges a callback's raw query. The right state is consumed here, whatever else the query says (spec 2.7). No code
   * gets past this point once another process has started a newer sign-in.
   */
  receive(query: string): CallbackVerdict {
    if (!isSameText(stateOf(query) ?? '', this.request.state)) return 'not-valid';
    if (this.#end) return this.#end;
    this.#end = 'used';
    this.#cancelTimer();
    this.#onAnswer();
    try {
      this.#assertNewest();
      const response = validateAuthorizationResponse(this.request, query, this.#clock);
      this.#settle.resolve(response);
      return response.kind === 'code' ? 'done' : 'refused';
    } catch (error) {
      this.end(error);
      return verdictOf(error);
    }
  }

  /** Lets `word` lead to the sign-in page, once. */
  addLink(word: string): void {
    this.#links.set(word, 'new');
  }

  /**
   * Where a one-time link leads. Whoever uses it again ends the sign-in, and whoever came first: one of the two is not
   * the person, and could have signed in there as somebody else.
   */
  follow(word: string): LinkAnswer {
    const link = [...this.#links].find(([known]) => isSameText(word, known));
    if (!link) return 'not-valid';
    const [known, use] = link;
    this.#links.set(known, 'used');
    if (use === 'new') return this.#end ?? { url: this.request.url };
    this.end(linkReused());
    return 'opened-twice';
  }

  /** For what the response has brought: a link may be used again after the callback. Errors: LINK_REUSED. */
  assertOpenedOnce(): void {
    if (this.#end === 'opened-twice') throw linkReused();
  }

  /** A signal aborts with reasons of all kinds; only an error of ours says more than that it was cancelled. */
  cancel(reason: unknown): void {
    const isOurs = reason instanceof PosternError;
    this.end(isOurs ? reason : new PosternError('USER_CANCELLED', { stage: 'authorization' }));
  }

  /** Ends the wait: cancelled, expired, superseded, its link used again. The state is dead from here on. */
  end(reason: unknown): void {
    const verdict = verdictOf(reason);
    if (verdict === 'superseded' || verdict === 'opened-twice') this.#end = verdict;
    this.#end ??= 'expired';
    this.#cancelTimer();
    this.#settle.reject(reason);
  }
}

const linkReused = () => new SignInEnd('opened-twice', { stage: 'authorization' });

function verdictOf(error: unknown): Exclude<CallbackVerdict, 'done'> {
  return error instanceof SignInEnd ? error.verdict : 'failed';
}
