import type { Stage } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';

/** Set by the connection itself, or not ours to send (RFC 9110 section 7.6.1). */
const hopByHop = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The header fields as they go on the wire. A body is never asked for compressed, so that counted bytes are real ones.
 * A value that is no field value is refused here, since undici would quote it in its error text.
 * Errors: TOKEN_CHARSET, detail `{header}`.
 */
export function buildRequestHeaders(headers: Readonly<Record<string, string>>, stage: Stage): Record<string, string> {
  const built: Record<string, string> = { 'user-agent': 'Postern' };
  for (const [spelling, value] of Object.entries(headers)) {
    const name = spelling.toLowerCase();
    if (!fieldName.test(name) || !fieldValue.test(value)) {
      throw new PosternError('TOKEN_CHARSET', { stage, detail: { header: fieldName.test(name) ? name : '' } });
    }
    if (!hopByHop.has(name)) built[name] = value;
  }
  built['accept-encoding'] = 'identity';
  return built;
}
