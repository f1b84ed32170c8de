import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { AuthorizationSession } from './authorization-session.ts';
import type { Flow } from './flow.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';
import { submitAddress } from './submit-address.ts';

/** Shows the sign-in page without waiting for it: the callback may come before a browser has answered. */
export function presentAuthorization(
  session: AuthorizationSession,
  callbackUrl: string,
  flow: Flow,
  interaction: SignInInteraction,
  signal: AbortSignal,
  ports: EnginePorts,
): void {
  const expiresAt = session.expiresAt;
  flow.advance({ type: 'authorizationRequested', expiresAt });
  const submit = (address: string) => submitAddress(session, callbackUrl, address);
  interaction.open({ url: session.request.url, callbackUrl, expiresAt, submit }, signal).catch((error: unknown) => {
    const stillUsable = error instanceof PosternError && error.code === 'BROWSER_OPEN_FAILED';
    if (stillUsable) interaction.onEvent({ event: 'note', note: 'browser-open-failed' });
    else session.end(error);
    ports.log.write('browser-open-failed');
  });
}
