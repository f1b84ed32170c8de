import { isOneOf, unansweredCodes } from '../../../shared/error-codes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Http } from '../../ports.ts';
import { renewLater } from './renew-later.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './token-set.ts';

/**
 * Why the token endpoint cannot be asked now, or `undefined` when it answers. A GET without any parameter is refused
 * by every token endpoint (RFC 6749 section 3.2) and changes nothing, so an outage does not cost the last sending
 * that a refresh token has left. The answer is REFRESH_TRANSIENT; errors of the address rule are thrown.
 */
export async function findSilence(
  http: Http,
  { tokenEndpoint, issuerKey }: Pick<TokenSet, 'tokenEndpoint' | 'issuerKey'>,
  policy: AddressPolicy,
): Promise<PosternError | undefined> {
  const url = checkTokenEndpoint(tokenEndpoint, issuerKey, policy, 'refresh');
  try {
    const { status } = await http.exchange({
      purpose: 'refresh',
      stage: 'refresh',
      method: 'GET',
      url,
      policy,
      redirects: 'none',
      deadline: deadline.revocation,
      bodyLimit: bodyLimit.token,
    });
    const isUp = status < 500 && status !== 429;
    return isUp ? undefined : renewLater(url, { status });
  } catch (error) {
    // By its code, as the port tells it: a class would be lost where a request is told with its host.
    if (!(error instanceof PosternError) || error.code === 'HOST_BLOCKED') throw error;
    // Whatever else went wrong with the answer, there was one.
    if (!isOneOf(unansweredCodes, error)) return undefined;
    return renewLater(url, { cause: error });
  }
}
