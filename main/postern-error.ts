import { usualBlame } from '../shared/blame.ts';
import type { Blame, ErrorCode, Stage } from '../shared/error-codes.ts';
import type { Remedy } from '../shared/remedy.ts';

/** What fills the gaps of a catalogue sentence: hosts, ports, times, counts, codes. Never a secret. */
export type ErrorDetail = Readonly<Record<string, string | number>>;

declare const sealed: unique symbol;

/**
 * The detail of an error, as it is passed on and added to. Only who writes sentences looks into it (`readDetail`), so
 * that it fills sentences and decides nothing: what a caller goes on with is answered by a type.
 */
export interface SealedDetail {
  readonly [sealed]?: never;
}

export interface PosternErrorOptions {
  readonly stage: Stage;
  readonly cause?: unknown;
  readonly detail?: ErrorDetail | SealedDetail;
  readonly remedy?: Remedy | undefined;
  readonly retryable?: boolean | undefined;
  /** Left out: the usual one of the code. */
  readonly blame?: Blame | undefined;
}

/** The one error that main throws. It becomes plain data at the edges (`plain-error.ts`). */
export class PosternError extends Error {
  override readonly name = 'PosternError';
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly detail: SealedDetail;
  /** What helps, where the thrower of the error knows better than the catalogue's entry for the code. */
  readonly remedy: Remedy | undefined;

  /** Whether trying again may help by itself, where the error knows better than its code. */
  readonly retryable: boolean | undefined;

  /** Whose mistake it is: `remedyOf` advises to check what was typed only after `input`. */
  readonly blame: Blame;

  constructor(code: ErrorCode, options: PosternErrorOptions) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.stage = options.stage;
    this.detail = options.detail ?? {};
    this.remedy = options.remedy;
    this.retryable = options.retryable;
    this.blame = options.blame ?? usualBlame(code);
  }

  /** All that is known of it beside its code, for another error that tells the same. */
  get options(): PosternErrorOptions {
    const { stage, cause, detail, remedy, retryable, blame } = this;
    return { stage, cause, detail, remedy, retryable, blame };
  }

  /** The same error, of which more is known. */
  with({ detail, ...more }: Partial<PosternErrorOptions>): PosternError {
    return new PosternError(this.code, { ...this.options, ...more, detail: { ...this.detail, ...detail } });
  }
}
