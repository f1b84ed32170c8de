import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { urlLength } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';

/**
 * Where a server of MCP 2024-11-05 wants its messages, as the `endpoint` event of the stream at `stream` names it: a
 * place at the same origin, since a credential goes there. Errors: ENDPOINT_REFUSED.
 */
export function oldEndpoint(named: string, stream: CheckedAddress): CheckedAddress {
  const from = new URL(stream);
  const url = URL.parse(named.trim(), stream);
  const isOwn =
    named.trim() !== '' && url !== null && url.origin === from.origin && url.username === '' && url.password === '';
  const address = isOwn ? atSameOrigin(stream, url.pathname, url.search) : undefined;
  if (address === undefined || address.length > urlLength.received) {
    throw new PosternError('ENDPOINT_REFUSED', { stage: 'connection', detail: { host: from.host } });
  }
  return address;
}
