import { displayPlace } from '../../address/display-place.ts';
import type {
  CredentialsRequest,
  PendingAuthorization,
  SignInEvent,
  SignInInteraction,
  TypedCredentials,
} from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import { toWindowError } from '../../window-error.ts';
import type { Connection, InstallAnswer } from './connection.ts';
import { openSignInPage } from './open-sign-in-page.ts';
import type { SignInPageOptions } from './open-sign-in-page.ts';

/** The person's side of a sign-in, as one connection that the window shows. */
export function createWindowInteraction(connection: Connection, page: SignInPageOptions): SignInInteraction {
  function onEvent(event: SignInEvent): void {
    switch (event.event) {
      case 'step':
        connection.steps = [...connection.steps, event.step];
        break;
      case 'method':
        connection.discovery = event.discovery;
        connection.firstIssuer ??= event.discovery.issuer;
        break;
      case 'state':
        // Also where a further request follows: its page takes the place of the first one.
        closeSignInPage(connection);
        connection.state = event.state;
        break;
      case 'note':
        if (event.note === 'browser-open-failed' && connection.signIn) connection.signIn.opened = false;
    }
    page.onChange();
  }

  return {
    onEvent,
    askCredentials: (request, signal) =>
      ask<TypedCredentials | 'try-again'>(signal, (answer) => {
        connection.credentials = { asked: request, answer };
        bindTypedSecret(connection, request);
        if (request.error && connection.state.name === 'awaitingCredentials') {
          connection.state = { name: 'awaitingCredentials', error: toWindowError(request.error) };
        }
        page.onChange();
      }).finally(() => {
        connection.credentials = undefined;
        page.onChange();
      }),
    askHosts: (request, signal) =>
      ask<boolean>(signal, (answer) => {
        connection.hosts = { asked: request, answer };
        page.onChange();
      }).finally(() => {
        connection.hosts = undefined;
        page.onChange();
      }),
    async open(authorization: PendingAuthorization) {
      connection.signIn = {
        authorization,
        surface: 'browser',
        host: displayPlace(new URL(authorization.url)),
        opened: true,
        blocked: false,
        popup: undefined,
      };
      await openSignInPage(connection, page);
    },
    finish: (ticketId, signal) =>
      ask<InstallAnswer>(signal, (answer) => {
        connection.install = { asked: ticketId, answer };
        page.onChange();
      }).finally(() => {
        connection.install = undefined;
        page.onChange();
      }),
  };
}

/** The flow says which service has seen the secret that was typed for whichever the choices led to. */
function bindTypedSecret(connection: Connection, { issuer, earlier }: CredentialsRequest): void {
  const { typedSecret } = connection;
  if (!typedSecret || typedSecret.issuer !== undefined || earlier?.secretKept !== true) return;
  if (typedSecret.clientId === earlier.clientId) connection.typedSecret = { ...typedSecret, issuer };
}

function closeSignInPage(connection: Connection): void {
  const popup = connection.signIn?.popup;
  // First, so that this closing is not taken for the person's.
  connection.signIn = undefined;
  popup?.close();
}

/** Waits for an answer, until `signal` aborts. */
function ask<Answer>(signal: AbortSignal, begin: (answer: (answer: Answer) => void) => void): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const cancel = (): void => reject(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  begin(resolve);
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}
