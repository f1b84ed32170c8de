import { afterNoMcp } from '../../../shared/error-catalogue/connection-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { PosternErrorOptions } from '../../postern-error.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { AnswerKind } from './probe-body.ts';

/**
 * Statuses below 500 after which the same question may have another answer (RFC 9110 section 15.5, RFC 8470, RFC 6585).
 */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

interface OtherAnswer {
  readonly host?: string;
  readonly status: number;
  readonly kind?: AnswerKind;
  /** When the server wants to be asked again, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
}

/** The server has a fault of its own, or asks to wait: whatever is asked of it now fares alike. */
export class ServerOutage extends PosternError {
  override with(more: Partial<PosternErrorOptions>): ServerOutage {
    return new ServerOutage(this.code, super.with(more).options);
  }
}

/** A proxy in front of the server says that it is down or full (RFC 9110 sections 15.6.3 to 15.6.5). */
export class UnreachedServer extends ServerOutage {
  override with(more: Partial<PosternErrorOptions>): UnreachedServer {
    return new UnreachedServer(this.code, super.with(more).options);
  }
}

const unreached: ReadonlySet<number> = new Set([502, 503, 504]);

/** MCP_FAILED for an answer that is not MCP. */
export function noMcp(stage: Stage, { host, status, kind, retryAt }: OtherAnswer): PosternError {
  const mayPass = status >= 500 || passing.has(status);
  const Kind = unreached.has(status) ? UnreachedServer : mayPass ? ServerOutage : PosternError;
  return new Kind('MCP_FAILED', {
    stage,
    detail: dropUndefined({ host, status, kind, retryAt }),
    remedy: afterNoMcp(status, retryAt),
    retryable: mayPass,
  });
}
