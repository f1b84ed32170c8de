import { notesOf } from '../../../shared/compatibility-notes.ts';
import type { VerdictView } from '../../../shared/connection-view.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-place.ts';
import { displayText } from '../../address/display-text.ts';
import { urlLength } from '../../limits.ts';
import type { Inspection } from '../../integration/sign-in/flow.ts';
import { hostsRequest, hostsToAgree } from '../../integration/sign-in/agree-to-hosts.ts';
import { requestedScope } from '../../integration/sign-in/requested-scope.ts';
import { isUnderException, publishedIssuer } from '../../issuer-key.ts';
import { signInHosts } from '../../integration/sign-in/sign-in-hosts.ts';
import { listsPkce } from '../../oauth/authorization/pkce.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { describeHosts } from './describe-hosts.ts';
import { refusesEmbeddedWindows } from '../connections/refuses-embedded-windows.ts';
import { shownScopes } from './shown-scopes.ts';

const text = (value: string): string => displayText(value, urlLength.received);

/** The verdict with its trust card. `bringsKey`: headers came with the address, and are used before anything else. */
export function describeVerdict(
  { discovery, open }: Inspection,
  options: IntegrationOptions,
  { bringsKey = false } = {},
): VerdictView {
  const { method, reason, metadata, alternatives } = discovery;
  const issuer = publishedIssuer(discovery, metadata?.token_endpoint);
  const server = new URL(discovery.url);
  const hosts = hostsToAgree(discovery, { options });
  const endpoint = URL.parse(metadata?.authorization_endpoint ?? '');
  const scopes = requestedScope({ options }, discovery).scope?.split(' ') ?? [];
  const listed = [
    ...(discovery.resourceMetadata?.scopes_supported ?? []),
    ...(metadata?.scopes_supported ?? []),
  ].filter((scope) => !scopes.includes(scope));
  const usesPkce = listsPkce(metadata);
  const isOpen = method === 'NoAuth' && open !== undefined;
  const kind = bringsKey ? 'usesKey' : kindOf(discovery, isOpen);
  return {
    kind,
    method,
    ...(reason && { reason }),
    ...(kind === 'couldNotTell' && describeNamed(discovery)),
    serverHost: displayPlace(server),
    ...(endpoint && { authorizationServerHost: displayPlace(endpoint) }),
    ...(issuer !== undefined && { issuer: text(issuer) }),
    ...describeException(discovery),
    differentOwner: signInHosts(discovery)?.differentOwner === true,
    ...(hosts.length > 0 && { hosts: describeHosts(hostsRequest(discovery, hosts)) }),
    scopes: shownScopes(scopes),
    otherScopes: shownScopes(listed),
    browserOnly: endpoint !== null && refusesEmbeddedWindows(endpoint.hostname),
    pkce: usesPkce || options.pkce === 'always',
    // What stands in for metadata that nobody published says nothing about the service.
    pkceListed: usesPkce && discovery.metadataUrl !== undefined,
    encrypted: [server, endpoint].every((address) => address === null || address.protocol === 'https:'),
    notes: notesOf(discovery),
    alternatives: alternatives.map(text),
    ...(isOpen && { toolCount: open.tools.length }),
  };
}

/** Who publishes resource metadata names a service: its own origin where the list is absent (RFC 9728 section 2). */
function describeNamed({ url, resourceMetadata }: Discovery): Pick<VerdictView, 'namedService'> {
  if (!resourceMetadata) return {};
  const named = URL.parse(resourceMetadata.authorization_servers?.[0] ?? url);
  return named ? { namedService: displayPlace(named) } : {};
}

function describeException({
  issuerKey,
  metadata,
  authorizationServer,
}: Discovery): Pick<VerdictView, 'exception'> | undefined {
  const [named, issuer] = [URL.parse(authorizationServer ?? ''), URL.parse(metadata?.issuer ?? '')];
  if (issuerKey === undefined || !isUnderException(issuerKey) || !named || !issuer) return undefined;
  return { exception: { named: displayPlace(named), issuer: displayPlace(issuer) } };
}

function kindOf({ method }: Discovery, isOpen: boolean): VerdictView['kind'] {
  switch (method) {
    case 'NoAuth':
      return isOpen ? 'noSignIn' : 'couldNotTell';
    case 'OAuth':
      return 'needsApp';
    case 'OAuthWithDCR':
      return 'registersItself';
    case 'OAuthWithCIMD':
      return 'publishedClient';
  }
}
