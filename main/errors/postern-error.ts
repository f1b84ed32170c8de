import type { CatalogEntry } from '../../shared/error-catalog/catalog-entry.ts';
import { describeError, errorCatalog, remedyFor } from '../../shared/error-codes.ts';
import type { Details, ErrorCode, PlainError, ServerWords, Stage } from '../../shared/error-codes.ts';
import type { CatalogDetail } from '../../shared/error-detail.ts';
import { hasTrait, isSameError, userActionFor } from '../../shared/error-traits.ts';
import type { Blame, ErrorTrait } from '../../shared/error-traits.ts';
import type { Remedy } from '../../shared/remedy.ts';

declare const opaque: unique symbol;

/**
 * The detail of an error, opaque while it is passed on. Only code that writes messages reads it (`readDetail`): it
 * fills in messages but never decides anything. Callers decide by type.
 */
interface OpaqueDetail {
  readonly [opaque]?: never;
}

export interface PosternErrorOptions<Code extends ErrorCode = ErrorCode> {
  readonly stage: Stage;
  readonly cause?: unknown;
  readonly detail?: Details<Code> | OpaqueDetail;
  readonly remedy?: Remedy | undefined;
  readonly retryable?: boolean | undefined;
  /** Default: that of the code. */
  readonly blame?: Blame | undefined;
  /** The server's message, sanitized to one line. Never becomes part of our sentences. */
  readonly words?: ServerWords | undefined;
}

/** The only error class that main throws. It becomes plain data at the edges (`toPlainError`). */
export class PosternError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PosternError';
  readonly code: Code;
  readonly stage: Stage;
  readonly detail: OpaqueDetail;
  /** Overrides the remedy of the code. */
  readonly remedy: Remedy | undefined;

  /** Overrides whether a retry may help. */
  readonly retryable: boolean | undefined;

  readonly words: ServerWords | undefined;

  /** Whose mistake it is. `remedyOf` suggests checking the input only for `input`. */
  readonly blame: Blame;

  constructor(code: Code, options: PosternErrorOptions<Code>) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.stage = options.stage;
    this.detail = (options.detail ?? {}) as OpaqueDetail;
    this.remedy = options.remedy;
    this.retryable = options.retryable;
    this.words = options.words;
    this.blame = options.blame ?? errorCatalog[code].blame;
  }

  /** The catalog's traits of the code, for `hasTrait`. */
  get traits(): readonly ErrorTrait[] | undefined {
    const { traits }: CatalogEntry = errorCatalog[this.code];
    return traits;
  }

  /** Everything but the code, for creating a related error. */
  get options(): PosternErrorOptions {
    const { stage, cause, detail, remedy, retryable, blame, words } = this;
    return { stage, cause, detail, remedy, retryable, blame, words };
  }

  /** A copy with more information. */
  with({ detail, ...more }: Partial<PosternErrorOptions>): PosternError {
    return new PosternError<ErrorCode>(this.code, { ...this.options, ...more, detail: { ...this.detail, ...detail } });
  }
}

/** Only for the modules that write messages; `architecture.test.ts` lists them. */
export function readDetail({ detail }: Pick<PosternError, 'detail'>): CatalogDetail {
  return detail as CatalogDetail;
}

/** Whether the work was canceled. Not a class: a canceled request is also a lost or an unsent one. */
export function isCancellation(thrown: unknown): boolean {
  return thrown instanceof PosternError && hasTrait(thrown, 'cancelled');
}

/** Whether a caller can handle it: neither our own bug nor a cancellation. */
export function isExpectedError(thrown: unknown): thrown is PosternError {
  return thrown instanceof PosternError && !isCancellation(thrown);
}

/**
 * An error as plain data for a window or a terminal. Anything but a `PosternError` becomes INTERNAL without its
 * message, which may contain server data or a token.
 */
export function toPlainError(error: unknown): PlainError {
  const posternError = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'postern' });
  const { code, cause, stage, blame, words, traits } = posternError;
  const detail = readDetail(posternError);
  const { retryAt } = detail;
  const described = describeError(code, detail);
  const { retryable = described.retryable } = posternError;
  return {
    code,
    // A cancellation that was passed on is its own cause.
    ...(cause instanceof PosternError && !isSameError(cause, posternError) && { cause: cause.code }),
    stage,
    blame,
    ...(traits && { traits }),
    message: described.message,
    ...(Object.keys(detail).length > 0 && { detail }),
    remedy: remedyOf(posternError),
    retryable,
    ...(words && { serverWords: words }),
    ...(typeof retryAt === 'number' && { retryAt }),
  };
}

/** What the user can do: the error's own remedy, else that of its code. */
export function remedyOf({ code, blame, remedy }: PosternError): Remedy {
  return remedyFor(code, blame, remedy);
}

/** Whether only the user can help: by signing in (again) or granting more scopes. */
export function requiresSignIn(error: PosternError): boolean {
  const action = userActionFor(remedyOf(error));
  return action !== undefined && action !== 'key';
}

/** Whether to offer the user a sign-in: if only that helps, or if a token refresh failed. */
export function offersSignIn(error: PosternError): boolean {
  return requiresSignIn(error) || remedyOf(error).kind === 'await-renewal';
}

/**
 * The origin of an error in our code: only file names, lines and columns (a bundled file is a single line), since the
 * message may contain server data.
 */
export function crashSite(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const inner = crashSite(error.cause);
  if (inner !== undefined) return inner;
  const heading = `${error.name}: ${error.message}`;
  const at = error.stack.indexOf(heading);
  const frames = error.stack.slice(at < 0 ? error.stack.length : at + heading.length).split('\n');
  const locations = frames.map((frame) => /([\w.-]+\.[jt]s:\d+:\d+)\)?$/u.exec(frame)?.[1]);
  return (
    locations
      .filter((location) => location !== undefined)
      .slice(0, 6)
      .join(' < ') || undefined
  );
}
