import type { CatalogueEntry } from '../../shared/error-catalogue/catalogue-entry.ts';
import { describeError, errorCatalogue, remedyFor } from '../../shared/error-codes.ts';
import type { Details, ErrorCode, PlainError, ServerWords, Stage } from '../../shared/error-codes.ts';
import type { CatalogueDetail } from '../../shared/error-detail.ts';
import { isAbout, isSameError, wayOutOf } from '../../shared/error-facts.ts';
import type { Blame, ErrorFact } from '../../shared/error-facts.ts';
import type { Remedy } from '../../shared/remedy.ts';

declare const sealed: unique symbol;

/**
 * The detail of an error, as it is passed on and added to. Only who writes sentences looks into it (`readDetail`), so
 * that it fills sentences and decides nothing: what a caller goes on with is answered by a type.
 */
interface SealedDetail {
  readonly [sealed]?: never;
}

export interface PosternErrorOptions<Code extends ErrorCode = ErrorCode> {
  readonly stage: Stage;
  readonly cause?: unknown;
  readonly detail?: Details<Code> | SealedDetail;
  readonly remedy?: Remedy | undefined;
  readonly retryable?: boolean | undefined;
  /** Left out: the usual one of the code. */
  readonly blame?: Blame | undefined;
  /** The server's own words, made safe to show on one line. They never become part of our sentences. */
  readonly words?: ServerWords | undefined;
}

/** The one error that main throws. It becomes plain data at the edges (`toPlainError`). */
export class PosternError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PosternError';
  readonly code: Code;
  readonly stage: Stage;
  readonly detail: SealedDetail;
  /** What helps, where the thrower of the error knows better than the catalogue's entry for the code. */
  readonly remedy: Remedy | undefined;

  /** Whether trying again may help by itself, where the error knows better than its code. */
  readonly retryable: boolean | undefined;

  readonly words: ServerWords | undefined;

  /** Whose mistake it is: `remedyOf` advises to check what was typed only after `input`. */
  readonly blame: Blame;

  constructor(code: Code, options: PosternErrorOptions<Code>) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.stage = options.stage;
    this.detail = (options.detail ?? {}) as SealedDetail;
    this.remedy = options.remedy;
    this.retryable = options.retryable;
    this.words = options.words;
    this.blame = options.blame ?? errorCatalogue[code].blame;
  }

  /** What the catalogue says of its code, for `isAbout`. */
  get about(): readonly ErrorFact[] | undefined {
    const { about }: CatalogueEntry = errorCatalogue[this.code];
    return about;
  }

  /** All that is known of it beside its code, for another error that tells the same. */
  get options(): PosternErrorOptions {
    const { stage, cause, detail, remedy, retryable, blame, words } = this;
    return { stage, cause, detail, remedy, retryable, blame, words };
  }

  /** The same error, of which more is known. */
  with({ detail, ...more }: Partial<PosternErrorOptions>): PosternError {
    return new PosternError<ErrorCode>(this.code, { ...this.options, ...more, detail: { ...this.detail, ...detail } });
  }
}

/** What fills the sentences of an error: for those that write sentences, as `architecture.test.ts` lists them. */
export function readDetail({ detail }: Pick<PosternError, 'detail'>): CatalogueDetail {
  return detail as CatalogueDetail;
}

/** Whether the work was called off. No class of its own: a request that was called off is a lost or an unsent one as well. */
export function isCancellation(thrown: unknown): boolean {
  return thrown instanceof PosternError && isAbout(thrown, 'cancelled');
}

/** Whether it is what came of the work, for a caller who goes on with it: neither a fault of ours nor called off. */
export function isOutcome(thrown: unknown): thrown is PosternError {
  return thrown instanceof PosternError && !isCancellation(thrown);
}

/**
 * An error as plain data for a window or a terminal: our code, stage and words. Of an error that is not ours nothing
 * is shown, since its text may hold what a server sent (or a token): it becomes INTERNAL.
 */
export function toPlainError(error: unknown): PlainError {
  const ours = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'app' });
  const { code, cause, stage, blame, words, about } = ours;
  const detail = readDetail(ours);
  const { retryAt } = detail;
  const told = describeError(code, detail);
  const { retryable = told.retryable } = ours;
  return {
    code,
    // A cancellation that was passed on is its own cause; that says nothing.
    ...(cause instanceof PosternError && !isSameError(cause, ours) && { cause: cause.code }),
    stage,
    blame,
    ...(about && { about }),
    message: told.message,
    ...(Object.keys(detail).length > 0 && { detail }),
    remedy: remedyOf(ours),
    retryable,
    ...(words && { serverWords: words }),
    ...(typeof retryAt === 'number' && { retryAt }),
  };
}

/** What the user can do about an error: what its thrower knows, otherwise what the catalogue says of its code. */
export function remedyOf({ code, blame, remedy }: PosternError): Remedy {
  return remedyFor(code, blame, remedy);
}

/** Whether only a person can help: by signing in (again), or by granting more. */
export function wantsSignIn(error: PosternError): boolean {
  const way = wayOutOf(remedyOf(error));
  return way !== undefined && way !== 'key';
}

/** Whether a user who is there is offered a sign-in: where only that helps, and where a renewal failed. */
export function offersSignIn(error: PosternError): boolean {
  return wantsSignIn(error) || remedyOf(error).kind === 'await-renewal';
}

/**
 * Where in the program an error came from: file names, lines and columns alone (a built file is one line), since its
 * message may hold what a server sent.
 */
export function crashSite(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const inner = crashSite(error.cause);
  if (inner !== undefined) return inner;
  const heading = `${error.name}: ${error.message}`;
  const at = error.stack.indexOf(heading);
  const frames = error.stack.slice(at < 0 ? error.stack.length : at + heading.length).split('\n');
  const places = frames.map((frame) => /([\w.-]+\.[jt]s:\d+:\d+)\)?$/u.exec(frame)?.[1]);
  return (
    places
      .filter((place) => place !== undefined)
      .slice(0, 6)
      .join(' < ') || undefined
  );
}
