import type { CallbackVerdict } from '../../callback-ports.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { PosternErrorOptions } from '../../postern-error.ts';

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
