import type { ErrorCode } from '../shared/error-codes.ts';
import type { NetworkFault } from '../shared/network-fault.ts';
import { PosternError } from './postern-error.ts';

/** `no`: the request has surely not left. `maybe`: the server may have received and obeyed it. */
export type Sent = 'no' | 'maybe';

/** A request that brought no answer, and how far it had come. The HTTP client throws it. */
export class RequestError extends PosternError {
  readonly sent: Sent;
  readonly fault?: NetworkFault | undefined;

  constructor(
    code: ErrorCode,
    options: ConstructorParameters<typeof PosternError>[1] & {
      readonly sent: Sent;
      readonly fault?: NetworkFault | undefined;
    },
  ) {
    super(code, options);
    this.sent = options.sent;
    this.fault = options.fault;
  }
}
