import { notesOf, noteWords } from '../../../shared/compatibility-notes.ts';
import { describeError } from '../../../shared/error-codes.ts';
import { callbackAddress, callbackUrl } from '../../engine/sign-in/callback-address.ts';
import { missingMetadata } from '../../engine/sign-in/discover-server.ts';
import { publishedIssuer } from '../../issuer-key.ts';
import { deviceEndpoint } from '../../oauth/discovery/discovery.ts';
import type { Discovery, UnusableMember } from '../../oauth/discovery/discovery.ts';
import { findUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import { discover as inspect } from '../../operations/connect.ts';
import { withoutKeys } from '../../secret.ts';
import type { CommandContext } from '../command-context.ts';
import { signInScope } from '../opening/sign-in-scope.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { toCommandError } from '../output/describe-error.ts';
import { describeMethod } from '../output/describe-step.ts';
import type { CommandResult } from '../output/output.ts';
import type { AdviceContext } from '../output/write-command.ts';
import { alignSheet } from '../text.ts';
import { reportMoved } from './connect.ts';

/**
 * `postern discover URL`: shows how a server handles sign-in. Opens no page. Errors: stages address to discovery.
 */
export async function discover(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const options = readIntegrationOptions(args);
  const { ports } = await context.openEngine();
  // First, so that unreadable settings fail before any request.
  const callback = callbackUrl(await callbackAddress(ports));
  const url = args.positionals[0] ?? '';
  await reportMoved(context, url);
  const request = { url, options, isTyped: true, isMetadataOnly: true } as const;
  const { discovery } = await inspect(signInScope(context, { ports }, 'print'), request);
  const { method, reason, resource, metadata, resourceMetadata, probeStatus, refusedStatus } = discovery;
  const issuer = publishedIssuer(discovery, discovery.metadata?.token_endpoint);
  const unmet = findUnmetDemand(discovery);
  const advice = nextStepOf(discovery, context.adviceContext());
  const nextStep = advice === undefined ? undefined : context.output.advise(advice);
  const resourceScopes = resourceMetadata?.scopes_supported ?? [];
  // Spec 2.3 and 2.11: scopes of the authorization server, else those of the resource.
  const listed = metadata?.scopes_supported ?? [];
  const scopesSupported = listed.length > 0 ? listed : resourceScopes;
  return {
    fields: {
      verdict: verdictOf(discovery),
      ...(unmet && { demand: unmet.demand }),
      status: refusedStatus ?? probeStatus ?? null,
      url: withoutKeys(discovery.url),
      ...(discovery.protocol === 'sse' && { transport: 'http+sse' }),
      method,
      ...(deviceEndpoint(metadata) !== undefined && { deviceSignIn: true }),
      ...(reason && { reason }),
      ...(nextStep !== undefined && { nextStep }),
      issuer: issuer ?? null,
      resource: resource === undefined ? null : withoutKeys(resource),
      scopesSupported,
      resourceScopesSupported: resourceScopes,
      ...(discovery.unusableMembers && { unusableMembers: discovery.unusableMembers }),
      callbackUrl: callback,
    },
    text: describeDiscovery(discovery, { scopesSupported, resourceScopes }, { callback, nextStep }),
  };
}

/**
 * `refused`: requires a sign-in but does not publish how. `demand`: requires something that Postern does not support.
 */
function verdictOf(discovery: Discovery): 'sign-in' | 'demand' | 'open' | 'refused' {
  const { method, refusedStatus } = discovery;
  if (findUnmetDemand(discovery)) return 'demand';
  if (method !== 'NoAuth') return 'sign-in';
  return refusedStatus === undefined ? 'open' : 'refused';
}

/** For a server that requires a sign-in but does not publish how. */
function nextStepOf(discovery: Discovery, at: AdviceContext): string | undefined {
  const { refusedStatus, method } = discovery;
  if (refusedStatus === undefined || method !== 'NoAuth') return undefined;
  return toCommandError(missingMetadata(discovery), at).nextStep;
}

const documentWords: Readonly<Record<UnusableMember['document'], string>> = {
  'resource-metadata': 'resource metadata',
  'authorization-server-metadata': 'authorization server metadata',
};

function describeDiscovery(
  discovery: Discovery,
  { scopesSupported, resourceScopes }: Readonly<Record<'scopesSupported' | 'resourceScopes', readonly string[]>>,
  { callback, nextStep }: { readonly callback: string; readonly nextStep: string | undefined },
): string {
  const scopes = scopesSupported.join(' ');
  const scopesHere = resourceScopes.join(' ');
  const { method, resource, alternatives, metadata, unusableMembers } = discovery;
  const issuer = publishedIssuer(discovery, discovery.metadata?.token_endpoint);
  // Without an issuer, every one that the server names was tried and could not be read.
  const isUnread = discovery.issuerKey === undefined && alternatives.length > 0;
  const unread = isUnread ? `${alternatives.join(' ')} (could not be read)` : undefined;
  const unmet = findUnmetDemand(discovery);
  const requiresSignIn = method !== 'NoAuth';
  const rows: (readonly [string, string | undefined])[] = [
    ['Address', withoutKeys(discovery.url)],
    ['Sign-in', `${method}: ${describeMethod(discovery)}`],
    ['Issuer', issuer ?? unread],
    ['Other issuers', isUnread ? undefined : alternatives.join(' ')],
    ['Resource', resource && withoutKeys(resource)],
    ['Scopes', scopes],
    ['Server scopes', scopesHere === scopes ? undefined : scopesHere],
    [
      'PKCE',
      requiresSignIn
        ? metadata?.code_challenge_methods_supported?.includes('S256')
          ? 'yes'
          : 'not listed'
        : undefined,
    ],
    ['Device code', deviceEndpoint(metadata) === undefined ? undefined : 'yes: --sign-in device'],
    ['Callback URL', callback],
    ['Requirement', unmet && describeError('DEMAND_UNMET', unmet).message],
    [
      'Notes',
      notesOf(discovery)
        .map((note) => noteWords[note])
        .join(' '),
    ],
    [
      'Unusable',
      unusableMembers?.map(({ document, member }) => `${member} of the ${documentWords[document]}`).join(', '),
    ],
    ['Next', nextStep],
  ];
  return alignSheet(rows);
}
