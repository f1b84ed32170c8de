import type { ErrorCode, ServerWords } from '../shared/error-codes.ts';
import { displayText } from './address/display-text.ts';
import { serverWordsLength } from './limits.ts';
import { PosternError } from './postern-error.ts';
import type { PosternErrorOptions } from './postern-error.ts';

/** A server answered with a JSON-RPC error (JSON-RPC 2.0 section 5.1). */
export class ServerError extends PosternError {
  /** What it said, fit to be shown in one line, and never part of a sentence of ours. */
  readonly words: ServerWords;

  constructor(code: ErrorCode, { words, ...options }: PosternErrorOptions & { readonly words: ServerWords }) {
    super(code, options);
    this.words = words;
  }

  override with(more: Partial<PosternErrorOptions>): this {
    const Same = this.constructor as new (...told: ConstructorParameters<typeof ServerError>) => this;
    return new Same(this.code, { ...super.with(more).options, words: this.words });
  }
}

/** One call was answered so: that says nothing of the next call, or of the server. */
export class FailedCall extends ServerError {}

/** Bounded and cleaned. */
export function serverWords({ code, message }: { readonly code: number; readonly message: string }): ServerWords {
  return { code: Number.isSafeInteger(code) ? code : 0, message: displayText(message, serverWordsLength) };
}
