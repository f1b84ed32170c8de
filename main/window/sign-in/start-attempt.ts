import { hasTrait } from '../../../shared/error-traits.ts';
import { isKeyHeaderName, keyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import type { ReauthenticationOptions } from '../../engine/sign-in/reauthenticate.ts';
import type { OwnOAuthApp, TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Inspection } from '../../engine/sign-in/flow.ts';
import { connect, discover, findListed, canConnectAtOnce, signInAgain } from '../../operations/connect.ts';
import type { FollowedScope, ImportResult } from '../../operations/import.ts';
import { readServer } from '../../operations/operation.ts';
import { Secret } from '../../secret.ts';
import { bringsKey, keyFor } from '../attempts/sign-in-attempts.ts';
import type { AttemptRun, SignInAttempt } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { runAttempt } from './run-attempt.ts';

/**
 * Discovers how the server handles sign-in, and stops at the verdict. Opens nothing, unless `atOnce` is set, the user
 * allows it in the settings, and the verdict leaves nothing to decide.
 */
export function startDiscovery(context: DesktopContext, attempt: SignInAttempt, atOnce?: true): void {
  const { flow } = attempt;
  bindTypedCredentials(attempt);
  flow.clear();
  const restart = (): void => startDiscovery(context, attempt, atOnce);
  const checking = runAttempt(context, attempt, restart, async (scope) => {
    const { url: typed, options } = attempt.choices;
    if (await findListed(scope, { url: typed, listedKeys: listedKeys(attempt), flow })) return;
    const isTyped = attempt.purpose.kind === 'connect';
    const target = { url: typed, options, isTyped, hasKey: bringsKey(attempt.choices) };
    adoptInspection(attempt, await discover(scope, { ...target, flow }));
  });
  const { run } = attempt;
  if (!atOnce) return;
  void checking.then(async () => {
    const inspection = flow.findings.startingPoint;
    if (flow.state.name !== 'discovered' || !inspection) return;
    const { url, options, header, typed } = attempt.choices;
    const choices = { url, options, suppliedCredential: header ?? typed };
    // Unreadable settings count as not allowed.
    const canContinue = await canConnectAtOnce(context.ports, inspection, choices).catch(() => false);
    // Skip if the user clicked or changed the URL meanwhile.
    if (canContinue && attempt.run === run && flow.state.name === 'discovered') startSignIn(context, attempt);
  });
}

/**
 * Connects one entry of an import. The attempt shows its progress, and can be continued like any other if it stops or
 * fails. It is removed if the import is cancelled. Errors: those of `work`; USER_CANCELLED if it is stopped alone.
 */
export async function followEntry(
  context: DesktopContext,
  attempt: SignInAttempt,
  { ports, signal }: Pick<FollowedScope, 'ports'> & { readonly signal: AbortSignal },
  work: (scope: FollowedScope) => Promise<ImportResult | undefined>,
): Promise<ImportResult | undefined> {
  const { flow } = attempt;
  const restart = (): void => {
    if (flow.findings.startingPoint) proceed(context, attempt);
    else startDiscovery(context, attempt);
  };
  const cancel = (): void => {
    attempt.run?.end();
    context.attempts.remove(attempt.id);
  };
  let result: Promise<ImportResult | undefined> | undefined;
  signal.addEventListener('abort', cancel, { once: true });
  // A retry fetches every document again, and is no longer part of the import.
  await runAttempt({ ...context, ports }, attempt, restart, async (scope, run) => {
    flow.begin(scope.user.signIn);
    flow.advance({ type: 'discover' });
    result = work({ ...scope, flow });
    const imported = await result.finally(() => {
      if (flow.findings.startingPoint) adoptInspection(attempt, flow.findings.startingPoint);
    });
    if (imported?.outcome !== 'imported') return;
    attempt.choices = { ...attempt.choices, header: undefined };
    markConnected(context, imported.integration, run);
  });
  signal.removeEventListener('abort', cancel);
  if (!result) throw new PosternError('USER_CANCELLED', { stage: 'connection' });
  return await result;
}

/** Adopts the discovered URL, unless keys were removed from the typed one for discovery. */
function adoptInspection(attempt: SignInAttempt, { keys, discovery }: Inspection): void {
  if (!keys) attempt.choices = { ...attempt.choices, url: discovery.url };
}

/** Continues from the verdict: with an imported key, or else by signing in. */
export function proceed(context: DesktopContext, attempt: SignInAttempt): void {
  if (bringsKey(attempt.choices)) startWithKey(context, attempt, undefined);
  // A key that was typed and refused must not replace the sign-in that is requested now.
  else startSignIn(context, attempt, previousCredentials(attempt));
}

/** Headers of the imported entry that the URL came from; `undefined` if it was not imported. */
function listedKeys({
  purpose,
  choices: { importEntry, header, url },
}: SignInAttempt): readonly FixedHeader[] | undefined {
  if (importEntry === undefined || purpose.kind !== 'connect') return undefined;
  const key = keyFor(header, url);
  return key ? [key, ...(key.further ?? [])] : [];
}

/** Signs in and connects, starting from the verdict. */
export function startSignIn(context: DesktopContext, attempt: SignInAttempt, credentials?: OwnOAuthApp): void {
  const restart = (): void => startSignIn(context, attempt, previousCredentials(attempt));
  void runAttempt(context, attempt, restart, async (scope, run) => {
    const { surface, flow, choices } = attempt;
    const { url, name, options } = choices;
    const named = { name: name || undefined, usesOwnName: true } as const;
    const request = { url, ...named, options, inspection: flow.findings.startingPoint, credentials };
    const fullRequest = { ...request, surface, flow, listedKeys: listedKeys(attempt) };
    const { integration, warnings, isListed } = await connect(scope, fullRequest);
    if (isListed) return;
    attempt.choices = { ...attempt.choices, typed: undefined };
    markConnected(context, integration, run);
    const [warning] = warnings;
    if (!warning) return;
    flow.advance({ type: 'warned', warning });
    context.statuses.observe(integration, warning);
  });
}

/**
 * Connects with a fixed header, typed now or imported. Errors: API_KEY_INVALID; API_KEY_MISSING if the stored one
 * belongs to another server.
 */
export function startWithKey(
  context: DesktopContext,
  attempt: SignInAttempt,
  typed: { readonly name: string; readonly value: string } | undefined,
): void {
  if (typed) {
    const value = keyHeaderValue(typed.value);
    if (!isKeyHeaderName(typed.name) || value === undefined) {
      throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
    }
    const header = { name: typed.name, value: new Secret(value), url: attempt.choices.url };
    attempt.choices = { ...attempt.choices, header };
  }
  const { url } = attempt.choices;
  const key = keyFor(attempt.choices.header, url);
  if (!key) throw new PosternError('API_KEY_MISSING', { stage: 'credentials' });
  const restart = (): void => startWithKey(context, attempt, undefined);
  void runAttempt(context, attempt, restart, async (scope, run) => {
    const { surface, flow, choices } = attempt;
    const options = { ...choices.options, headerName: key.name };
    const named = { name: choices.name || undefined, usesOwnName: true } as const;
    const request = { url, ...named, options, key, surface, flow };
    const { integration, isListed } = await connect(scope, { ...request, listedKeys: listedKeys(attempt) });
    if (isListed) return;
    attempt.choices = { ...attempt.choices, header: undefined };
    markConnected(context, integration, run);
  });
}

/** After a sign-in or an accepted key: clears earlier errors of the server. */
function markConnected(
  { health, statuses }: DesktopContext,
  integration: Pick<Integration, 'id' | 'url'>,
  run: AttemptRun,
): void {
  health.markInMemory(integration.id);
  statuses.setLastSignIn(integration.id, run);
  statuses.forget(integration.id);
  statuses.markResponded(integration);
  statuses.reviewRefreshes();
}

/**
 * Binds typed credentials to the service that discovery found first, whatever the server names later. The flow forgets
 * that service when it restarts.
 */
function bindTypedCredentials(attempt: SignInAttempt): TypedCredentials | undefined {
  const { flow, choices } = attempt;
  if (!choices.typed) return undefined;
  const { issuerKey = flow.findings.firstIssuerKey, ...client } = choices.typed.client;
  const bound = issuerKey === undefined ? client : { ...client, issuerKey };
  attempt.choices = { ...choices, typed: { ...choices.typed, client: bound } };
  return bound;
}

/** Credentials typed for a run that has ended, for the user to check before the next run. */
function previousCredentials(attempt: SignInAttempt): TypedCredentials | undefined {
  const typed = bindTypedCredentials(attempt);
  if (!typed) return undefined;
  const error = errorOf(attempt.flow.state);
  // Report neither the user's own cancellation nor a network failure, which may be over.
  const isWorthReporting = isExpectedError(error) && !hasTrait(error, 'unanswered');
  return { ...typed, toCheck: isWorthReporting ? { error } : {} };
}

/** Signs an integration in again, for the reason in `demand`. */
export function startNewSignIn(
  context: DesktopContext,
  attempt: SignInAttempt,
  integrationId: string,
  demand: Omit<ReauthenticationOptions, 'surface' | 'flow'>,
): void {
  const restart = (): void =>
    startNewSignIn(context, attempt, integrationId, { ...demand, typed: previousCredentials(attempt) });
  void runAttempt(context, attempt, restart, async (scope, run) => {
    const integration = await readServer(scope.ports, integrationId);
    const { id, url, options } = integration;
    attempt.choices = { ...attempt.choices, url, options };
    const { surface, flow } = attempt;
    await signInAgain(scope, integration, { ...demand, surface, flow }).finally(() =>
      context.statuses.setLastSignIn(id, run),
    );
    attempt.choices = { ...attempt.choices, typed: undefined };
    markConnected(context, { id, url }, run);
  });
}

/** Starts with the OAuth app dialog, prefilled with what was typed before. */
export function startWithOwnOAuthApp(context: DesktopContext, attempt: SignInAttempt): void {
  const { purpose } = attempt;
  const typed = previousCredentials(attempt) ?? 'ask';
  if (purpose.kind === 'connect') startSignIn(context, attempt, typed);
  else startNewSignIn(context, attempt, purpose.integrationId, { typed });
}
