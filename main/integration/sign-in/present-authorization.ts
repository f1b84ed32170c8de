import { browserAddress } from '../../address/browser-address.ts';
import type { CallbackListener } from '../../callback-ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { AuthorizationSession } from './authorization-session.ts';
import type { Flow } from './flow.ts';
import type { PendingAuthorization, SignInInteraction } from './sign-in-interaction.ts';
import { submitAddress } from './submit-address.ts';

/** Shows the sign-in page without waiting for it: the callback may come before a browser has answered. */
export function presentAuthorization(
  session: AuthorizationSession,
  listener: Pick<CallbackListener, 'url' | 'linkTo'>,
  flow: Flow,
  interaction: SignInInteraction,
  signal: AbortSignal,
  ports: EnginePorts,
): void {
  const expiresAt = session.expiresAt;
  flow.advance({ type: 'authorizationRequested', expiresAt });
  const { url } = session.request;
  const pending: PendingAuthorization = {
    url,
    callbackUrl: listener.url,
    expiresAt,
    browserUrl() {
      browserAddress(url);
      const word = Buffer.from(ports.random.bytes(32)).toString('base64url');
      session.addLink(word);
      return listener.linkTo(word);
    },
    submit: (address) => submitAddress(session, listener.url, address),
  };
  interaction.open(pending, signal).catch((error: unknown) => {
    const stillUsable = error instanceof PosternError && error.code === 'BROWSER_OPEN_FAILED';
    if (stillUsable) interaction.onEvent({ event: 'note', note: 'browser-open-failed' });
    else session.end(error);
    ports.log.write('browser-open-failed');
  });
}
