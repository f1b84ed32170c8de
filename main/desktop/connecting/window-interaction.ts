import type { WindowSurface } from '../../../shared/choices.ts';
import { displayPlace } from '../../address/display-place.ts';
import { hasProof } from '../../oauth/client/client-credentials.ts';
import type { CredentialsRequest, SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import type { Attempt } from '../connections/attempt.ts';
import type { Connection } from '../connections/connections.ts';
import { closeSignInPage, openSignInPage } from './open-sign-in-page.ts';
import type { SignInPageOptions } from './open-sign-in-page.ts';
import type { Waiting } from '../connections/waiting.ts';
import type { WindowSettings } from '../state/window-settings.ts';

/** The person's side of a sign-in, as one attempt at a connection that the window shows. */
export function createWindowInteraction(
  connection: Connection,
  attempt: Attempt,
  settings: Pick<WindowSettings, 'surface'>,
  page: SignInPageOptions,
): SignInInteraction {
  /** Waits for an answer, until `signal` aborts. */
  async function ask<Answer>(
    signal: AbortSignal,
    begin: (answer: (answer: Answer) => void) => Waiting,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const cancel = (): void => reject(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const question = begin(resolve);
    attempt.waiting = question;
    page.onChange();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      if (attempt.waiting === question) attempt.waiting = undefined;
      page.onChange();
    }
  }

  return {
    onEvent({ event }) {
      // Also before a further request, whose page takes the place of the first one.
      if (event === 'state') closeSignInPage(attempt);
      page.onChange();
    },
    askCredentials(request, signal) {
      bindTypedSecret(connection, request);
      return ask(signal, (answer) => ({ for: 'credentials', request, answer }));
    },
    askHosts: (request, signal) => ask(signal, (answer) => ({ for: 'hosts', request, answer })),
    async open(authorization) {
      const host = displayPlace(new URL(authorization.url));
      attempt.waiting = { for: 'callback', authorization, page: { where: 'browser', host, opened: true } };
      // As chosen for this server, else for all of them.
      const surface = async (): Promise<WindowSurface> =>
        connection.wanted.options.signInSurface ?? (await settings.surface());
      await openSignInPage(attempt, surface, page);
    },
    ...(connection.wanted.onDevice && {
      showDevicePage(shown) {
        attempt.waiting = { for: 'device', shown };
        page.onChange();
      },
    }),
    finish: (ticketId, signal) => ask(signal, (answer) => ({ for: 'install', ticketId, answer })),
  };
}

/** The flow says which service has seen the secret that was typed for whichever the choices led to. */
function bindTypedSecret(connection: Connection, { issuerKey, earlier }: CredentialsRequest): void {
  const { typed } = connection.wanted;
  if (!typed || !hasProof(typed.client) || typed.client.issuerKey !== undefined || earlier?.secretKept !== true) return;
  if (typed.client.clientId !== earlier.clientId) return;
  connection.wanted = { ...connection.wanted, typed: { ...typed, client: { ...typed.client, issuerKey } } };
}
