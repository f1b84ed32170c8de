import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What keeps a secret that a person gave for one server or service from another one. */
export const removedDestinationChecks: readonly Mutant[] = [
  removedCheck(
    'key-of-another-server',
    [
      'desktop/connections/key-header.ts',
      'own.origin === other.origin && own.pathname === other.pathname ? header : undefined',
      'header',
    ],
    ['contract', 'contract/key-destination.test.ts', 'stays there'],
    ['contract', 'contract/key-destination.test.ts', 'is not taken for'],
  ),
  removedCheck(
    'tokens-at-a-changed-address',
    ['integration/kept/bound-tokens.ts', 'return URL.parse(server)?.href === address.href;', 'return true;'],
    ['contract', 'contract/edited-settings.test.ts', 'alone gets no token'],
    ['contract', 'contract/edited-settings.test.ts', 'counts as well'],
    ['contract', 'contract/edited-settings.test.ts', 'steers no token'],
  ),
  removedCheck(
    'tokens-of-a-changed-resource',
    ['integration/kept/bound-tokens.ts', 'if (resource !== integration.resource) return false;', ''],
    ['contract', 'contract/edited-settings.test.ts', 'of another resource alone'],
  ),
  removedCheck(
    'tokens-of-an-earlier-version',
    ['integration/kept/bound-tokens.ts', ': matchesResource(named, address);', ': true;'],
    ['contract', 'contract/edited-settings.test.ts', 'go by the resource'],
  ),
  removedCheck(
    'tokens-of-an-earlier-version-without-resource',
    ['integration/kept/bound-tokens.ts', '? sameRegistrableDomain(named.hostname, address.hostname)', '? true'],
    ['contract', 'contract/edited-settings.test.ts', 'go to nobody where no resource'],
  ),
  removedCheck(
    'tokens-bound-at-first-use',
    [
      'integration/refresh/access-token.ts',
      'if (tokens.server === undefined) await bindTokens(ports, integration);',
      '',
    ],
    ['contract', 'contract/edited-settings.test.ts', 'at their first use'],
  ),
  removedCheck(
    'key-at-a-changed-address',
    ['integration/kept/stored-secrets.ts', '  issuer: url,\n', "  issuer: '',\n"],
    ['contract', 'contract/edited-settings.test.ts', 'an API key is for'],
  ),
  removedCheck(
    'secret-for-a-typed-token-endpoint',
    [
      'oauth/typed-endpoints.ts',
      '    issuer: token_endpoint,\n    notes,',
      '    issuer: metadata?.issuer ?? new URL(authorization_endpoint).origin,\n    notes,',
    ],
    ['unit', 'unit/main/oauth/typed-endpoints.test.ts', 'keys secrets by'],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again'],
    ['contract', 'contract/client-secret-destination.test.ts', 'for typed endpoints'],
  ),
  removedCheck(
    'secret-after-other-choices',
    ['integration/sign-in/obtain-credentials.ts', '(typed.issuer ?? issuer) === issuer', "typed.issuer !== ''"],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again when other choices'],
  ),
  removedCheck(
    'secret-typed-for-another-service',
    ['desktop/connections/submit-credentials.ts', ' && earlier.issuer === issuer', ''],
    ['contract', 'contract/client-secret-destination.test.ts', 'is asked for again when other choices'],
  ),
  removedCheck(
    'secret-at-the-next-try',
    [
      'desktop/connections/start-connection.ts',
      'startSignIn(context, connection, forSameService(connection, credentials))',
      'startSignIn(context, connection, credentials)',
    ],
    ['contract', 'contract/client-secret-destination.test.ts', 'before the next try'],
  ),
  removedCheck(
    'registration-for-a-typed-token-endpoint',
    ['oauth/typed-endpoints.ts', 'registration_endpoint: _, ', ''],
    ['unit', 'unit/main/oauth/typed-endpoints.test.ts', 'registers no client'],
  ),
  removedCheck(
    'secrets-under-the-subdomain-exception',
    ['oauth/issuer.ts', 'isOtherSubdomain && secretsReachTheNamed', 'isOtherSubdomain'],
    ['unit', 'unit/main/oauth/issuer.test.ts', 'wants token_endpoint on'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the token_endpoint'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the registration_endpoint'],
    ['contract', 'contract/subdomain-exception.test.ts', 'by keeping the revocation_endpoint'],
  ),
  removedCheck(
    'key-under-the-subdomain-exception',
    [
      'oauth/issuer-key.ts',
      "fallback === 'subdomain' ? `${published}#${asked}` : published",
      "asked === '' ? `${fallback}` : published",
    ],
    ['contract', 'contract/subdomain-exception.test.ts', 'shares no client'],
    ['contract', 'contract/subdomain-exception.test.ts', 'is given no secret'],
  ),
  removedCheck(
    'names-under-the-subdomain-exception',
    [
      'cli/output/describe-step.ts',
      "if (issuerFallback !== 'subdomain' || asked === undefined) return undefined;",
      "if (asked !== '' || issuerFallback !== undefined) return undefined;",
    ],
    ['contract', 'contract/subdomain-exception.test.ts', 'is shown with both hosts'],
  ),
  removedCheck(
    'registration-at-another-name',
    ['oauth/registration-deletion.ts', 'isUnderException(credentials.issuer)', "isUnderException('')"],
    ['unit', 'unit/main/oauth/registration-deletion.test.ts', 'under the sub-domain exception'],
  ),
  removedCheck(
    'rented-names',
    ['address/registrable-domain.ts', 'if (rented >= 0) return', 'if (rented > 99) return'],
    ['unit', 'unit/main/address/registrable-domain.test.ts', 'of one.loca.lt and two.loca.lt'],
    ['unit', 'unit/main/oauth/issuer.test.ts', 'asked https://evil.loca.lt'],
  ),
  removedCheck(
    'rented-by-the-whole-host',
    ['address/registrable-domain.ts', 'host.endsWith(`.${domain}`)', 'host === domain'],
    ['unit', 'unit/main/address/registrable-domain.test.ts', 'of 203.0.113.7.nip.io and 198.51.100.7.nip.io'],
  ),
  removedCheck(
    'account-for-another-service',
    [
      'integration/sign-in/request-authorization.ts',
      'discovery.issuer === request.earlierIssuer ?',
      "discovery.issuer !== '' ?",
    ],
    ['contract', 'contract/account-destination.test.ts', 'is told to no other'],
    ['contract', 'contract/account-destination.test.ts', 'when the metadata changes'],
  ),
  removedCheck(
    'hosts-of-several-owners',
    [
      'integration/sign-in/agree-to-hosts.ts',
      'if (hosts.length === 0) return options;',
      'if (hosts.length < 99) return options;',
    ],
    ['contract', 'contract/several-owners.test.ts', 'nobody can answer'],
    ['contract', 'contract/several-owners.test.ts', 'says without a terminal'],
    ['contract', 'contract/several-owners.test.ts', 'has the hosts on the trust card'],
  ),
  removedCheck(
    'a-no-to-hosts',
    ['integration/sign-in/agree-to-hosts.ts', 'if (answer === true)', 'if (answer !== undefined)'],
    ['contract', 'contract/several-owners.test.ts', 'a person says no'],
    ['contract', 'contract/several-owners.test.ts', 'shows the hosts on a terminal, and takes "no"'],
  ),
  removedCheck(
    'hosts-after-the-second-discovery',
    [
      'integration/sign-in/sign-in.ts',
      'options = await agreeToHosts(interaction, { options, shown }, discovery, signal);',
      '',
    ],
    ['contract', 'contract/several-owners.test.ts', 'between the two discoveries'],
  ),
  removedCheck(
    'hosts-of-another-service',
    ['integration/sign-in/hosts-to-agree.ts', '...(typed ? [] : [issuer]), ...endpoints', '...endpoints.slice(0, 1)'],
    ['contract', 'contract/several-owners.test.ts', 'asks for everybody'],
    ['contract', 'contract/several-owners.test.ts', 'with the agreed page, after the yes'],
    ['contract', 'contract/several-owners.test.ts', 'says without a terminal'],
    ['unit', 'unit/main/integration/sign-in/hosts-to-agree.test.ts', 'names an agreed page'],
  ),
  removedCheck(
    'service-that-was-not-shown',
    [
      'integration/sign-in/hosts-to-agree.ts',
      'shown?.metadata !== undefined && ',
      "issuer === '' && shown?.metadata && ",
    ],
    ['contract', 'contract/several-owners.test.ts', 'tells who it is now and asks'],
    ['unit', 'unit/main/integration/sign-in/hosts-to-agree.test.ts', 'than the one shown'],
  ),
  removedCheck(
    'yes-to-hosts-opens-the-network',
    [
      'integration/kept/integration-policy.ts',
      'allowedHosts: options.allowedHosts,',
      'allowedHosts: [...options.allowedHosts, ...(options.agreedHosts ?? [])],',
    ],
    ['contract', 'contract/several-owners.test.ts', 'opens no address inside'],
  ),
  removedCheck(
    'yes-to-other-hosts',
    [
      'desktop/connections/agreed-hosts.ts',
      'hosts?.asked.hosts.every((host) => agreesTo.includes(displayHost(host)))',
      'hosts && agreesTo.length > 0',
    ],
    ['unit', 'unit/main/desktop/connections/agreed-hosts.test.ts', 'goes on waiting'],
  ),
  removedCheck(
    'yes-to-other-hosts-before',
    [
      'desktop/connections/agreed-hosts.ts',
      '.filter((host) => seen.has(displayHost(host)))',
      '.filter(() => seen.size > 0)',
    ],
    ['contract', 'contract/several-owners.test.ts', 'has the hosts on the trust card'],
  ),
  removedCheck(
    'who-signs-in-and-who-gets-the-access',
    [
      'cli/output/describe-step.ts',
      'if (hosts?.differentOwner !== true) return undefined;',
      "if (hosts?.serverHost !== '') return undefined;",
    ],
    ['contract', 'contract/several-owners.test.ts', 'says who signs you in'],
  ),
  removedCheck(
    'choices-of-an-imported-list',
    ['desktop/lists/exported-list.ts', '...importableOptions(data.options)', 'leftOut: 0'],
    ['unit', 'unit/main/desktop/lists/exported-list.test.ts', 'brings no endpoint'],
    ['contract', 'contract/client-secret-destination.test.ts', 'chooses neither the token endpoint'],
  ),
  removedCheck(
    'query-of-an-exported-address',
    ['desktop/lists/exported-list.ts', "url.search = '';", ''],
    ['unit', 'unit/main/desktop/lists/exported-list.test.ts', 'leaves out what stands in the query'],
  ),
];
