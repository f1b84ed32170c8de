import type { Integration } from '../../../shared/integration.ts';
import type { AssertionFileFault } from '../../assertion-ports.ts';
import { keyHost } from '../../issuer-key.ts';
import { judgeAssertion } from '../../oauth/token/assertion.ts';
import type { AssertionFault, AssertionUse } from '../../oauth/token/assertion.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import type { IdentityUse } from '../../oauth/token/identity-assertion.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { obtainIdentityAssertion } from './obtain-identity-assertion.ts';
import type { RenewProvider } from './obtain-identity-assertion.ts';

/**
 * What is shown in place of a sign-in. It is fetched afresh for each use and kept nowhere. `undefined` for a client that
 * asks for itself. Errors: ASSERTION_INVALID, those of `obtainIdentityAssertion`.
 */
export async function obtainAssertion(
  ports: Pick<EnginePorts, 'assertions' | 'clock' | 'http' | 'vault' | 'store'>,
  { options }: Pick<Integration, 'options'>,
  use: Omit<AssertionUse, 'now'> & IdentityUse,
  renew: RenewProvider,
): Promise<Secret | undefined> {
  const { grant, assertionFile: file = '', identityProvider = '' } = options;
  if (grant === 'enterprise') return await obtainIdentityAssertion(ports, identityProvider, use, renew);
  if (grant !== 'jwt-bearer') return undefined;
  return await readAssertionFile(ports, file, (text) => judgeAssertion(text, { ...use, now: ports.clock.now() }), {
    host: keyHost(use.issuerKey),
  });
}

/** What stands in the file, if `judge` has nothing against it. Errors: ASSERTION_INVALID. */
async function readAssertionFile(
  { assertions }: Pick<EnginePorts, 'assertions'>,
  file: string,
  judge: (text: string) => AssertionFault | undefined,
  { host }: { readonly host: string },
): Promise<Secret> {
  const fail = (fault: AssertionFault | AssertionFileFault): PosternError =>
    new PosternError('ASSERTION_INVALID', { stage: 'token', detail: { fault, file, host } });
  const read = await assertions.read(file);
  if (!(read instanceof Secret)) throw fail(read);
  const fault = judge(read.reveal());
  if (fault) throw fail(fault);
  return read;
}
