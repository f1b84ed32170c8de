import type { WindowSurface } from '../../../shared/choices.ts';
import { displayPlace } from '../../address/display-text.ts';
import type { CredentialsRequest, SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { hasProof } from '../../oauth/client/client-credentials.ts';
import { noteSignIn } from '../../operations/connect.ts';
import type { SignInScope } from '../../operations/connect.ts';
import { Attempt, integrationOf } from '../connections/connections.ts';
import type { Connection, Waiting } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { WindowSettings } from '../state/window-settings.ts';
import { closeSignInPage, openSignInPage } from './open-sign-in-page.ts';
import type { SignInPageOptions } from './open-sign-in-page.ts';

/** One piece of work for a connection; its ports and its user are traced. */
type ConnectionWork = (scope: SignInScope, attempt: Attempt) => Promise<void>;

/**
 * Makes `work` the next attempt of a connection, after what runs for it now has ended: its flow tells how it ends.
 * `again` starts the same once more. Never rejects.
 */
export function runConnection(
  context: DesktopContext,
  connection: Connection,
  again: () => void,
  work: ConnectionWork,
): Promise<void> {
  const before = connection.attempt;
  before?.end();
  const attempt = new Attempt(context.ports.clock.now(), new Trace(context.ports.clock), again);
  connection.attempt = attempt;
  const tell = (): void => {
    context.changed('connections');
    context.changed('integrations');
  };
  const over = attempt.run(async (signal) => {
    await before?.running;
    if (!signal.aborted) await go(context, connection, attempt, work, signal);
  });
  tell();
  return over.finally(tell);
}

async function go(
  context: DesktopContext,
  connection: Connection,
  attempt: Attempt,
  work: ConnectionWork,
  signal: AbortSignal,
): Promise<void> {
  const { ports, shell, settings, changed } = context;
  const { trace } = attempt;
  const page = { shell, onChange: () => changed('connections') };
  const interaction = createWindowInteraction(connection, attempt, settings, page);
  try {
    const user = { ...context.user, signIn: traceInteraction(interaction, trace, { canAsk: true }) };
    await work({ ports: { ...ports, http: traceHttp(ports.http, trace) }, user, signal }, attempt);
    trace.conclude();
    attempt.hasEnded = true;
    await keepHistory(context, connection, attempt);
  } catch (error) {
    trace.conclude(error);
    const ended = connection.flow.end(error, signal);
    const { code, cause, stage } = toPlainError(ended);
    attempt.hasEnded = true;
    ports.log.write('connection-failed', { code, cause, stage, kind: connection.purpose.kind });
    await keepHistory(context, connection, attempt, ended);
    if (!(error instanceof PosternError)) ports.log.write('unexpected', { type: (error as Error | undefined)?.name });
  } finally {
    closeSignInPage(attempt);
  }
}

/** A sign-in of a server that is in the list outlasts the program, request by request. */
async function keepHistory(
  { ports, board, history }: DesktopContext,
  connection: Connection,
  attempt: Attempt,
  ended?: unknown,
): Promise<void> {
  const id = integrationOf(connection);
  if (id === undefined || board.of(id).lastSignIn !== attempt) return;
  const signIn = { at: attempt.at, entries: [...attempt.trace.entries()] };
  await noteSignIn({ history, clock: ports.clock }, id, signIn, ended);
}

/** The person's side of a sign-in, as one attempt at a connection that the window shows. */
function createWindowInteraction(
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
