import type { z } from 'zod/mini';
import type { IpcContract, IpcHandlers } from '../../../shared/ipc-contract.ts';
import { displayHost, displayHostAndPort } from '../../address/display-text.ts';
import {
  checkEndpoints,
  withDefaultOptions,
  withoutClientAuthentication,
} from '../../engine/records/integration-policy.ts';
import { hostsToAgree, withAgreedHosts } from '../../engine/sign-in/agree-to-hosts.ts';
import { errorOf, isAddressFixed } from '../../engine/sign-in/flow-state.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { hasSecretOrKey, secretOrKeyOf, readTypedClient } from '../../oauth/client/client-credentials.ts';
import { loadKnownOptions } from '../../operations/connect.ts';
import { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import { reopenSignInPage, useBrowser } from '../sign-in/open-sign-in-page.ts';
import {
  proceed,
  startDiscovery,
  startNewSignIn,
  startSignIn,
  startWithKey,
  startWithOwnOAuthApp,
} from '../sign-in/start-attempt.ts';
import { carryOverOptions, haveSameDiscovery } from '../attempts/carry-over-options.ts';
import { createAttempt, isRunning, keyFor, waitingFor } from '../attempts/sign-in-attempts.ts';
import type { AttemptRun, SignInAttempt, ImportedEntry, SignInChoices } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { displayAddress } from '../views/describe-connection.ts';

type ConnectionHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `connection:${string}`>>;

export function connectionHandlers(context: DesktopContext): ConnectionHandlers {
  const { ports, attempts, shell, imports, changed } = context;
  const page = { shell, onChange: () => changed('connections') };

  return {
    'connection:discover': async ({ id, url: typed, options, importEntry, name, atOnce }, { surface }) => {
      // Loaded first, because the state read below may change during an await.
      const knownOptions = await loadKnownOptions();
      const imported = importEntry === undefined ? undefined : imports.get(importEntry);
      const current = id === undefined ? undefined : attempts.get(id);
      // The window only has URLs of imported entries without their keys.
      const isListed = ({ source, server: { url = '' } }: ImportedEntry): boolean =>
        source !== undefined || typed === displayAddress({ url, importEntry });
      const listed = imported && isListed(imported) ? imported.server.url : undefined;
      const url = listed ?? (current && typed === displayAddress(current.choices) ? current.choices.url : typed);
      const reused = current && !isAddressFixed(current.flow.state) ? current : undefined;
      // Known options are applied once: what the user has reset since stays reset.
      const knownDefaults = reused?.choices.url === url ? undefined : knownOptions(url);
      const carriedOver = reused && carryOverOptions(url, reused.choices);
      const chosen = withDefaultOptions({ ...carriedOver, ...knownDefaults, ...options });
      checkEndpoints(url, chosen);
      if (!reused) attempts.dropEndedChecks();
      const attempt =
        reused ??
        attempts.add(
          createAttempt({
            purpose: { kind: 'connect' },
            surface,
            flow: new Flow(ports.log),
            choices: { url, name: imported?.server.name ?? '', options: chosen, importEntry: imported && importEntry },
          }),
        );
      const { choices } = attempt;
      attempt.choices = {
        ...choices,
        // A different URL drops the name and the credentials of the previous one.
        ...(choices.url !== url && { name: '', typed: undefined, importEntry: undefined }),
        ...(imported && { name: imported.server.name, importEntry }),
        ...(name !== undefined && { name }),
        url,
        options: chosen,
        header: keyFor(imported?.header, url) ?? keyFor(choices.header, url),
      };
      startDiscovery(context, attempt, atOnce);
      return { id: attempt.id };
    },
    'connection:start': async ({ id, name, options, header, agreesTo, ownOAuthApp }) => {
      const attempt = attempts.get(id);
      // A second click focuses the first.
      if (isRunning(attempt)) {
        if (agreesTo) answerHosts(attempt.run, agreesTo);
        await reopenSignInPage(attempt.run, page);
        return null;
      }
      if (name !== undefined) attempt.choices = { ...attempt.choices, name };
      if (options) {
        const { choices } = attempt;
        const chosen = withDefaultOptions({ ...choices.options, ...options });
        if (chosen.grant !== 'jwt-bearer') delete chosen.assertionFile;
        checkEndpoints(choices.url, chosen);
        // A verdict for other choices does not apply to these.
        if (!haveSameDiscovery(chosen, choices.options)) attempt.flow.clearStartingPoint();
        attempt.choices = { ...choices, options: chosen };
      }
      if (agreesTo) acceptHosts(attempt, agreesTo);
      if (ownOAuthApp) startWithOwnOAuthApp(context, attempt);
      else if (header) startWithKey(context, attempt, header);
      else proceed(context, attempt);
      return null;
    },
    'connection:chooseAssertionFile': async ({ id }) => ({
      chosen: await chooseAssertionFile(context, attempts.get(id)),
    }),
    'connection:submitCredentials': async (input) => {
      await submitCredentials(context, attempts.get(input.id), input);
      return null;
    },
    'connection:tryAgain': async ({ id }) => {
      const attempt = attempts.get(id);
      const question = waitingFor(attempt.run, 'credentials');
      if (question) question.answer(question.request.canRegister ? 'register' : 'try-again');
      else if (!isRunning(attempt)) attempt.run?.restart();
      return null;
    },
    'connection:submitCallback': async ({ id, address }) => {
      const waiting = waitingFor(attempts.get(id).run, 'callback');
      return { verdict: waiting?.authorization.submit(address) ?? 'expired' };
    },
    'connection:openAgain': async ({ id }) => {
      await reopenSignInPage(attempts.get(id).run, page);
      return null;
    },
    'connection:useBrowser': async ({ id }) => {
      const attempt = attempts.get(id);
      if (waitingFor(attempt.run, 'device')) startOver(attempt, { onDevice: false });
      else await useBrowser(attempt.run, page);
      return null;
    },
    'connection:useDevice': async ({ id }) => {
      const attempt = attempts.get(id);
      if (waitingFor(attempt.run, 'callback')) startOver(attempt, { onDevice: true });
      return null;
    },
    'connection:stop': async ({ id }) => {
      attempts.find((candidate) => candidate.id === id)?.run?.end();
      return null;
    },
    'connection:cancel': async ({ id }) => {
      attempts.find((candidate) => candidate.id === id)?.run?.end();
      attempts.remove(id);
      return null;
    },
    'connection:install': installHandler(context),
  };
}

/** Restarts the sign-in with changed choices. */
function startOver(attempt: SignInAttempt, change: Pick<SignInChoices, 'onDevice'>): void {
  attempt.choices = { ...attempt.choices, ...change };
  attempt.run?.restart();
}

/**
 * Finishes an install (spec 2.10): the ticket is valid once, for the window and integration that it was issued to. The
 * engine redeems it. Errors: TICKET_INVALID, and those of storing.
 */
function installHandler({ attempts }: DesktopContext): IpcHandlers['connection:install'] {
  return async ({ ticketId, name }, { surface }) => {
    const attempt = attempts.find(({ run }) => waitingFor(run, 'install')?.ticketId === ticketId);
    const run = attempt?.run;
    const question = waitingFor(run, 'install');
    if (!run || !question) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    // From here on the ticket is used up, also for a concurrent call.
    run.waiting = undefined;
    if (name !== undefined) attempt.choices = { ...attempt.choices, name };
    const { running } = run;
    question.answer({ surface, name });
    await running;
    const { state } = attempt.flow;
    if (state.name === 'integrated') return { integrationId: state.integrationId };
    throw errorOf(state) ?? new PosternError('TICKET_INVALID', { stage: 'install' });
  };
}

/** Records consent to hosts on the trust card. Other hosts are ignored; the sign-in asks about them. */
function acceptHosts(attempt: SignInAttempt, agreesTo: readonly string[]): void {
  const { discovery } = attempt.flow.findings.shownInspection ?? {};
  const { options } = attempt.choices;
  const agreed = new Set(agreesTo);
  const hosts = discovery ? hostsToAgree(discovery, { options }).filter((host) => agreed.has(displayHost(host))) : [];
  if (hosts.length > 0) attempt.choices = { ...attempt.choices, options: withAgreedHosts(options, hosts) };
}

/** Answers a running sign-in that asks about hosts: it continues only if the user agrees to all of them. */
export function answerHosts(run: Pick<AttemptRun, 'waiting'> | undefined, agreesTo: readonly string[]): void {
  const question = waitingFor(run, 'hosts');
  if (question?.request.hosts.every((host) => agreesTo.includes(displayHost(host)))) question.answer(true);
}

type Input = z.output<IpcContract['connection:submitCredentials']['input']>;

/**
 * Handles the credential form. Changed options only take effect at the start of a sign-in, so it is restarted with
 * the typed credentials. An earlier secret is reused if client and service are the same.
 * Errors: STATE_EXPIRED if no credentials are requested any more; those of `readTypedClient`; those of the address
 * policy for typed endpoints.
 */
async function submitCredentials(context: DesktopContext, attempt: SignInAttempt, input: Input): Promise<void> {
  const question = waitingFor(attempt.run, 'credentials');
  if (!question) throw new PosternError('STATE_EXPIRED', { stage: 'credentials' });
  const { clientSecret, clientAuthentication, secretExpiresAt, options } = input;
  const { clientId, ...typedProof } = readTypedClient(input);
  const { issuerKey, callbackUrl } = question.request;
  const { choices } = attempt;
  const earlier = choices.typed?.client;
  const previous = earlier?.clientId === clientId && earlier.issuerKey === issuerKey ? secretOrKeyOf(earlier) : {};
  const proof = clientSecret === undefined ? previous : typedProof;
  const typed: TypedCredentials = {
    clientId,
    ...proof,
    ...(hasSecretOrKey(proof) && { issuerKey }),
    ...(clientAuthentication && { authentication: clientAuthentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
  attempt.choices = { ...choices, typed: { client: { ...typed, issuerKey }, callbackUrl } };
  const before = withoutClientAuthentication(choices.options);
  const changes = options !== undefined || choices.options.clientAuthentication !== undefined;
  const chosen = changes ? withDefaultOptions({ ...before, ...options }) : undefined;
  if (chosen) checkEndpoints(choices.url, chosen);
  if (!chosen || JSON.stringify(chosen) === JSON.stringify(choices.options)) return question.answer(typed);

  const changesDiscovery = !haveSameDiscovery(chosen, choices.options);
  if (changesDiscovery) attempt.flow.clearStartingPoint();
  // A secret typed along with such changes belongs to the new service.
  const isForNewService = changesDiscovery && clientSecret !== undefined;
  const { issuerKey: _issuerKey, ...unbound } = typed;
  const credentials = isForNewService ? unbound : typed;
  const client = changesDiscovery ? credentials : { ...typed, issuerKey };
  attempt.choices = { ...choices, options: chosen, typed: { client, callbackUrl } };
  const { purpose } = attempt;
  if (purpose.kind === 'connect') return startSignIn(context, attempt, credentials);
  const { integrationId } = purpose;
  await context.ports.store.update(integrationId, (integration) => ({ ...integration, options: chosen }));
  startNewSignIn(context, attempt, integrationId, { typed: credentials });
}

/**
 * Chooses the assertion file that replaces a sign-in. Its content is as good as a password, so a page must not name the
 * file: the user picks it in a system dialog, which names the server. False if cancelled.
 * Errors: ASSERTION_INVALID if the file cannot be read or others can write to it.
 */
async function chooseAssertionFile(
  { shell, ports, changed }: Pick<DesktopContext, 'shell' | 'ports' | 'changed'>,
  attempt: SignInAttempt,
): Promise<boolean> {
  const { url } = attempt.choices;
  const file = await shell.chooseFile(windowWords.assertionFile(displayHostAndPort(new URL(url))));
  // The URL was changed while the dialog was open.
  if (file === undefined || attempt.choices.url !== url) return false;
  const read = await ports.assertions.read(file);
  if (!(read instanceof Secret))
    throw new PosternError('ASSERTION_INVALID', { stage: 'token', detail: { fault: read, file } });
  attempt.choices = { ...attempt.choices, options: { ...attempt.choices.options, assertionFile: file } };
  changed('connections');
  return true;
}
