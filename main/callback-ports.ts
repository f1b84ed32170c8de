import type { ErrorCode } from '../shared/error-codes.ts';
import type { CheckedAddress } from './address/check-address.ts';
import { PosternError } from './errors/postern-error.ts';
import type { PosternErrorOptions } from './errors/postern-error.ts';

/**
 * What the page that the browser lands on says. `failed`: it was the callback of this sign-in, and its answer cannot
 * be trusted or used. `used`: its answer has come before. `superseded`: a newer sign-in was started. `opened-twice`: a
 * one-time link of it was used again.
 */
export type CallbackVerdict =
  'done' | 'refused' | 'expired' | 'failed' | 'used' | 'superseded' | 'opened-twice' | 'not-valid';

/** Where a one-time link leads, or why it leads nowhere. */
export type LinkAnswer = { readonly url: CheckedAddress } | Exclude<CallbackVerdict, 'done'>;

/** What the listener asks for each request that a browser may send; the answers choose its pages. */
export interface CallbackAnswers {
  /** The raw query (without `?`) of a GET of the callback path. */
  callback(query: string): CallbackVerdict;
  /** The word of a one-time link. */
  link(word: string): LinkAnswer;
}

export interface CallbackListener {
  /** The redirect URI, byte for byte as it is registered and sent. */
  readonly url: string;
  /** The one-time link with this word: 32 random bytes in base64url. */
  linkTo(word: string): string;
  close(): Promise<void>;
}

export interface CallbackReceiver {
  /**
   * Binds the address; for `localhost` both families, since a browser may take either. Only what a browser may send
   * when a person goes there is asked about. Errors: PORT_UNAVAILABLE.
   */
  listen(
    address: { readonly host: '127.0.0.1' | 'localhost'; readonly port: number },
    answers: CallbackAnswers,
  ): Promise<CallbackListener>;
  /** A port that is free now, to be stored as this profile's callback port. */
  freePort(): Promise<number>;
}

type EndVerdict = Extract<CallbackVerdict, 'refused' | 'expired' | 'superseded' | 'opened-twice'>;

const codeOf: Readonly<Record<EndVerdict, ErrorCode>> = {
  refused: 'USER_DENIED',
  expired: 'STATE_EXPIRED',
  superseded: 'FLOW_SUPERSEDED',
  'opened-twice': 'LINK_REUSED',
};

/** An end of a sign-in of which the page in the browser has its own word. */
export class SignInEnd extends PosternError {
  readonly verdict: EndVerdict;

  constructor(verdict: EndVerdict, options: PosternErrorOptions) {
    super(codeOf[verdict], options);
    this.verdict = verdict;
  }
}
