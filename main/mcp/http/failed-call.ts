import { PosternError } from '../../postern-error.ts';
import type { PosternErrorOptions } from '../../postern-error.ts';

/** The server has answered one call with an error of MCP: that says nothing of the next call, or of the server. */
export class FailedCall extends PosternError {
  override with(more: Partial<PosternErrorOptions>): FailedCall {
    return new FailedCall(this.code, super.with(more).options);
  }
}
