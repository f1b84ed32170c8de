import type { WindowSurface } from '../../../shared/choices.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import type { CredentialsRequest, SignInInteraction } from '../../engine/sign-in/sign-in-interaction.ts';
import { Trace, traceHttp, traceInteraction } from '../../engine/trace/trace.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { hasSecretOrKey } from '../../oauth/client/client-credentials.ts';
import { recordSignIn } from '../../operations/connect.ts';
import type { SignInScope } from '../../operations/connect.ts';
import { AttemptRun, integrationOf } from '../attempts/sign-in-attempts.ts';
import type { SignInAttempt, Waiting } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { WindowSettings } from '../state/window-settings.ts';
import { closeSignInPage, openSignInPage } from './open-sign-in-page.ts';
import type { SignInPageOptions } from './open-sign-in-page.ts';

/** The work of one run. Its ports and user interaction are traced. */
type AttemptWork = (scope: SignInScope, run: AttemptRun) => Promise<void>;

/**
 * Starts `work` as the next run of an attempt, after the current run has ended. The flow gets the outcome. `restart`
 * starts the same work again. Never rejects.
 */
export function runAttempt(
  context: DesktopContext,
  attempt: SignInAttempt,
  restart: () => void,
  work: AttemptWork,
): Promise<void> {
  const before = attempt.run;
  before?.end();
  const run = new AttemptRun(context.ports.clock.now(), new Trace(context.ports.clock), restart);
  attempt.run = run;
  const publish = (): void => {
    context.changed('connections');
    context.changed('integrations');
  };
  const ended = run.start(async (signal) => {
    await before?.running;
    if (!signal.aborted) await execute(context, attempt, run, work, signal);
  });
  publish();
  return ended.finally(publish);
}

async function execute(
  context: DesktopContext,
  attempt: SignInAttempt,
  run: AttemptRun,
  work: AttemptWork,
  signal: AbortSignal,
): Promise<void> {
  const { ports, shell, settings, changed } = context;
  const { trace } = run;
  const page = { shell, onChange: () => changed('connections') };
  const interaction = createWindowInteraction(attempt, run, settings, page);
  try {
    const user = { ...context.user, signIn: traceInteraction(interaction, trace, { canAsk: true }) };
    await work({ ports: { ...ports, http: traceHttp(ports.http, trace) }, user, signal }, run);
    trace.conclude();
    run.hasEnded = true;
    await saveTrace(context, attempt, run);
  } catch (error) {
    trace.conclude(error);
    const ended = attempt.flow.end(error, signal);
    const { code, cause, stage } = toPlainError(ended);
    run.hasEnded = true;
    ports.log.write('connection-failed', { code, cause, stage, kind: attempt.purpose.kind });
    await saveTrace(context, attempt, run, ended);
    if (!(error instanceof PosternError)) ports.log.write('unexpected', { type: (error as Error | undefined)?.name });
  } finally {
    closeSignInPage(run);
  }
}

/** Saves the trace of a sign-in, request by request, if the server is in the list. */
async function saveTrace(
  { ports, statuses, history }: DesktopContext,
  attempt: SignInAttempt,
  run: AttemptRun,
  ended?: unknown,
): Promise<void> {
  const id = integrationOf(attempt);
  if (id === undefined || statuses.of(id).lastSignIn !== run) return;
  const signIn = { at: run.startedAt, entries: [...run.trace.entries()] };
  await recordSignIn({ history, clock: ports.clock }, id, signIn, ended);
}

/** Sign-in interaction through the window. */
function createWindowInteraction(
  attempt: SignInAttempt,
  run: AttemptRun,
  settings: Pick<WindowSettings, 'surface'>,
  page: SignInPageOptions,
): SignInInteraction {
  /** Waits for an answer of the user, until `signal` aborts. */
  async function ask<Answer>(
    signal: AbortSignal,
    createWaiting: (answer: (answer: Answer) => void) => Waiting,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const cancel = (): void => reject(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const question = createWaiting(resolve);
    run.waiting = question;
    page.onChange();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      if (run.waiting === question) run.waiting = undefined;
      page.onChange();
    }
  }

  return {
    onEvent({ event }) {
      // Also before a further authorization request, whose page replaces this one.
      if (event === 'state') closeSignInPage(run);
      page.onChange();
    },
    askCredentials(request, signal) {
      bindTypedSecret(attempt, request);
      return ask(signal, (answer) => ({ for: 'credentials', request, answer }));
    },
    confirmHosts: (request, signal) => ask(signal, (answer) => ({ for: 'hosts', request, answer })),
    async open(authorization) {
      const host = displayHostAndPort(new URL(authorization.url));
      run.waiting = { for: 'callback', authorization, page: { where: 'browser', host, opened: true } };
      // The choice for this server, or else the general setting.
      const surface = async (): Promise<WindowSurface> =>
        attempt.choices.options.signInSurface ?? (await settings.surface());
      await openSignInPage(run, surface, page);
    },
    ...(attempt.choices.onDevice && {
      showDevicePage(devicePage) {
        run.waiting = { for: 'device', devicePage };
        page.onChange();
      },
    }),
    finish: (ticketId, signal) => ask(signal, (answer) => ({ for: 'install', ticketId, answer })),
  };
}

/** Binds a secret that was typed before the service was known to the service that has now received it. */
function bindTypedSecret(attempt: SignInAttempt, { issuerKey, earlier }: CredentialsRequest): void {
  const { typed } = attempt.choices;
  if (!typed || !hasSecretOrKey(typed.client) || typed.client.issuerKey !== undefined || earlier?.secretStored !== true)
    return;
  if (typed.client.clientId !== earlier.clientId) return;
  attempt.choices = { ...attempt.choices, typed: { ...typed, client: { ...typed.client, issuerKey } } };
}
