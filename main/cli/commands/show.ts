import { notesOf, noteWords } from '../../../shared/compatibility-notes.ts';
import { timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
import { servedBy } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { storedFailure } from '../../engine/records/server-failure.ts';
import { addressOfKey } from '../../issuer-key.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import { sealedEntry } from '../../secret.ts';
import type { CommandContext } from '../command-context.ts';
import { readEndedStatuses } from '../opening/open-command-profile.ts';
import { secretMethodName } from '../options/parse-arguments.ts';
import { describeCommand } from '../output/describe-command.ts';
import {
  describeAccount,
  describeMoment,
  describeStatus,
  describeSignIn,
  summarize,
} from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { writeOption } from '../output/write-command.ts';
import { alignSheet } from '../text.ts';

/** `postern show ID`: everything stored, except secrets. Errors: NOT_FOUND. */
export async function show(context: CommandContext): Promise<CommandResult> {
  const { store, folder } = await context.openProfile();
  const integration = await findIntegration(store, context.args.positionals[0] ?? '');
  const ended = integration.command && (await readEndedStatuses(folder)).get(integration.id);
  return {
    fields: { integration: { ...integration, ...summarize(integration, ended) } },
    text: [
      describeSheet(integration, await store.list(), describeStatus(integration, Date.now(), ended), Date.now()),
      ...(integration.command ? ['', ...describeCommand(integration.command)] : []),
    ].join('\n'),
  };
}

function describeSheet(integration: Integration, all: readonly Integration[], state: string, now: number): string {
  const { options } = integration;
  const issuer =
    integration.issuerKey === undefined || integration.method === 'NoAuth'
      ? undefined
      : addressOfKey(integration.issuerKey);
  const rows: (readonly [string, string | undefined])[] = [
    ['Name', integration.name],
    ['ID', integration.id],
    ['Alias', integration.alias],
    ['Address', sealedEntry(integration).url],
    ['State', state],
    ['Last error', describeFailure(integration, now)],
    ['Sign-in', describeSignIn(integration, all)],
    [
      'Signs in to',
      servedBy(integration, all)
        .map(({ name }) => name)
        .join(', '),
    ],
    ['Signed in at', issuer],
    ['Metadata from', integration.authorizationServer === issuer ? undefined : integration.authorizationServer],
    ['Resource', integration.resource],
    ['Callback URL', options.grant === undefined ? integration.redirectUri : undefined],
    ...describeAccess(integration, now),
    ['Account', describeAccount(integration)],
    ['Secret expires', moment(integration.clientSecretExpiresAt, now)],
    ['Signed in', moment(integration.signedInAt, now)],
    ['Refreshed', moment(integration.refreshedAt, now)],
    [
      'Protocol',
      integration.protocol && (integration.protocol === 'stateless' ? 'MCP 2026-07-28' : 'MCP 2025-11-25 or older'),
    ],
    ['Options', describeOptions(options)],
    ['Confirmed hosts', options.agreedHosts?.join(', ')],
    [
      'Notes',
      notesOf(integration)
        .map((note) => noteWords[note])
        .join(' '),
    ],
  ];
  return alignSheet(rows);
}

function describeFailure(integration: Integration, now: number): string | undefined {
  const error = storedFailure(integration);
  return error && `${error.message} Since ${moment(integration.failure?.since, now)}.`;
}

function moment(value: number | undefined, now: number): string | undefined {
  return value === undefined ? undefined : describeMoment(value, now);
}

/** The connect options as typed on the command line. */
function describeOptions(options: Integration['options']): string {
  return [
    options.local && '--local',
    ...options.allowedHosts.map((host) => `--allow-host ${host}`),
    options.allowHttp && '--allow-http',
    options.pkce !== 'when-listed' && `--pkce ${options.pkce}`,
    options.scope !== undefined && `--scope "${options.scope}"`,
    options.legacyEndpoints && '--legacy-endpoints',
    !options.sendResource && '--no-resource',
    options.grant === 'client-credentials' && `--grant ${options.grant}`,
    options.assertionFile !== undefined && writeOption('assertion-file', options.assertionFile),
    options.identityProvider !== undefined && `--identity-provider ${options.identityProvider}`,
    options.isIdentityProvider && '--as-provider',
    options.pushRequests === true && '--pushed-request',
    options.clientAuthentication && `--client-auth ${secretMethodName(options.clientAuthentication)}`,
    options.authorizationServer !== undefined && `--authorization-server ${options.authorizationServer}`,
    options.endpoints &&
      `--authorization-endpoint ${options.endpoints.authorization} --token-endpoint ${options.endpoints.token}`,
    options.callbackHost !== undefined && `--callback-host ${options.callbackHost}`,
    options.clientMetadataUrl !== undefined && `--client-metadata-url ${options.clientMetadataUrl}`,
    options.headerName !== undefined && `--header ${options.headerName}`,
  ]
    .filter(Boolean)
    .join(' ');
}

type Row = readonly [label: string, value: string | undefined];

/** Rows about scopes and expiry of a sign-in. Rows that do not apply have no value. `now` as Date.now(). */
export function describeAccess(integration: Integration, now: number): readonly Row[] {
  const { scope, scopeRequested, expiresAt, method, state, boundToKey } = integration;
  const isSignedIn = method !== 'NoAuth' && state !== 'signedOut';
  const missing = missingScope(scopeRequested, scope);
  const noExpiry = isSignedIn ? 'unknown (not stated by the service)' : undefined;
  return [
    ['Scopes granted', scope ?? (isSignedIn ? describeUnstatedScope(scopeRequested) : undefined)],
    ['Scopes requested', scopeRequested === scope || (isSignedIn && scope === undefined) ? undefined : scopeRequested],
    ['Scopes missing', missing.length > 0 ? `${missing.join(' ')} (tools that need them will fail)` : undefined],
    ['Token expires', expiresAt === undefined ? noExpiry : describeMoment(expiresAt, now)],
    [
      'Bound to',
      isSignedIn && boundToKey ? 'a key on this computer (DPoP), without which the token is useless' : undefined,
    ],
    ['Refresh', isSignedIn ? describeRenewal(integration, now) : undefined],
  ];
}

function describeRenewal(
  { hasRefreshToken, expiresAt, retryAt, renewalRefused }: Integration,
  now: number,
): string | undefined {
  if (hasRefreshToken === false) {
    const isOver = expiresAt !== undefined && expiresAt <= now;
    return `not possible: the service issued no refresh token; sign in again ${isOver ? 'now, because the token has expired' : 'when the token expires'}`;
  }
  if (retryAt === undefined) return undefined;
  const when = retryAt > now ? `; next attempt after ${timeOfDay(retryAt)}` : '';
  const what = renewalRefused
    ? 'refused by the service; you probably need to sign in again'
    : 'failed at the service for now; you are still signed in';
  return `${what}${when}`;
}

/** If the response has no `scope`, the requested one was granted (RFC 6749 5.1). */
function describeUnstatedScope(requested: string | undefined): string {
  return requested === undefined ? 'not stated by the service' : `${requested} (as requested)`;
}
