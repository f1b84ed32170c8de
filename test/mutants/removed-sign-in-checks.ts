import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const oauth = 'unit/main/oauth';
const listener = ['contract', 'contract/callback-listener.test.ts'] as const;
const session = ['unit', 'unit/main/integration/sign-in/authorization-session.test.ts'] as const;
const servers = ['contract', 'contract/quirks/authorization-servers.test.ts'] as const;
const senders = ['unit', 'unit/main/ipc/trusted-senders.test.ts'] as const;
const popup = ['unit', 'unit/main/windows/popup-navigation.test.ts'] as const;
const appFile = ['unit', 'unit/main/windows/resolve-app-file.test.ts'] as const;

/** Who gets a code, a token or a secret, who may bring a callback, and which page may ask or lead where. */
export const removedSignInChecks: readonly Mutant[] = [
  removedCheck(
    'code-with-credentials-of-another-issuer',
    ['oauth/token-request.ts', 'credentials.issuer !== request.issuer || ', ''],
    ['unit', `${oauth}/token-request.test.ts`, 'sends nothing for credentials'],
  ),
  removedCheck(
    'code-with-another-client',
    ['oauth/token-request.ts', ' || credentials.clientId !== request.clientId', ''],
    ['unit', `${oauth}/token-request.test.ts`, 'sends nothing for credentials'],
  ),
  removedCheck(
    'authorization-with-credentials-of-another-issuer',
    ['oauth/authorization-request.ts', 'if (credentials.issuer !== issuer)', "if (credentials.issuer === '')"],
    ['unit', `${oauth}/authorization-request.test.ts`, 'refuses credentials of another issuer'],
  ),
  removedCheck(
    'parameters-of-the-endpoint-beside-ours',
    ['oauth/authorization-request.ts', '.some((name) => names.has(name))', ".some((name) => name === '')"],
    ['unit', `${oauth}/authorization-request.test.ts`, 'doubles no parameter'],
  ),
  removedCheck(
    'session-of-another-organisation',
    [
      'oauth/authorization-request.ts',
      'return !sameRegistrableDomain(server.hostname, endpoint.hostname);',
      'return false;',
    ],
    ['unit', `${oauth}/authorization-request.test.ts`, 'with typed credentials at'],
  ),
  removedCheck(
    'secret-over-plain-http',
    ['oauth/token-endpoint.ts', '    if (from !== null) checkDowngrade(from, url, stage);\n', ''],
    ['unit', `${oauth}/token-endpoint.test.ts`, 'at the moment of use'],
  ),
  removedCheck(
    'refresh-at-any-address',
    ['oauth/refresh.ts', "checkTokenEndpoint(tokens.tokenEndpoint, issuer, policy, 'refresh')", 'tokens.tokenEndpoint'],
    ['unit', `${oauth}/refresh.test.ts`, 'again at use'],
  ),
  removedCheck(
    'revocation-at-any-address',
    [
      'oauth/revocation.ts',
      "checkTokenEndpoint(revocationEndpoint, issuer, policy, 'connection')",
      'revocationEndpoint',
    ],
    ['unit', `${oauth}/revocation.test.ts`, 'sends no token to'],
  ),
  removedCheck(
    'registration-deleted-at-another-owner',
    ['oauth/registration-deletion.ts', "    if (!isItsOwn) return 'not-offered';\n", ''],
    ['unit', `${oauth}/registration-deletion.test.ts`, 'never contacts'],
  ),
  removedCheck(
    'registration-deleted-over-plain-http',
    ['oauth/registration-deletion.ts', "    checkDowngrade(issuer, url, 'connection');\n", ''],
    ['unit', `${oauth}/registration-deletion.test.ts`, 'never leaves https'],
  ),
  removedCheck(
    'secret-of-the-service-before',
    ['integration/sign-in/ask-for-credentials.ts', 'earlier?.issuer === issuer ? earlier : undefined', 'earlier'],
    [...servers, 'is never shown the secret typed for the old one'],
  ),
  removedCheck(
    'tokens-of-the-service-before',
    ['integration/sign-in/install.ts', 'kept.issuer !== tokens.issuer', 'kept.issuer === tokens.issuer'],
    [...servers, 'is registered with anew and signed in to again'],
  ),

  removedCheck(
    'pasted-address-of-another-place',
    [
      'integration/sign-in/submit-address.ts',
      "if (`${landed.origin}${landed.pathname}` !== callbackUrl) return 'not-valid';",
      '',
    ],
    [...session, 'ignores another address'],
  ),
  removedCheck(
    'state-of-a-cancelled-sign-in',
    ['integration/sign-in/authorization-session.ts', "    this.#end ??= 'expired';\n", ''],
    [...session, 'is dead once it was cancelled'],
  ),
  removedCheck(
    'callback-at-any-path',
    [
      'user-agent/callback/callback-request.ts',
      '!== callbackPath) return { refusal: 404 };',
      "=== '') return { refusal: 404 };",
    ],
    [...listener, 'does not know the path'],
  ),
  removedCheck(
    'wrong-states-without-bound',
    ['user-agent/callback/callback-listener.ts', 'wrong > wrongStateRequests', 'wrong < 0'],
    [...listener, 'slows down wrong states'],
  ),
  removedCheck(
    'right-state-shut-out',
    [
      'user-agent/callback/callback-listener.ts',
      "verdict === 'not-valid' && wrong > wrongStateRequests",
      'wrong > wrongStateRequests',
    ],
    [...listener, 'slows down wrong states'],
  ),
  removedCheck(
    'localhost-in-one-family',
    ['user-agent/callback/callback-listener.ts', "localhost: ['127.0.0.1', '::1']", "localhost: ['127.0.0.1']"],
    [...listener, 'does not take `localhost` while'],
  ),

  removedCheck(
    'popup-to-any-scheme',
    [
      'windows/popup-navigation.ts',
      "if (target?.protocol !== 'http:') return false;",
      "if (target?.protocol !== 'http:') return true;",
    ],
    [...popup, 'refuses'],
  ),
  removedCheck(
    'popup-over-plain-http',
    ['windows/popup-navigation.ts', "classifyHost(target.hostname) === 'loopback' ||", "target.hostname !== '' ||"],
    [...popup, 'refuses'],
  ),
  removedCheck(
    'popup-over-plain-http-at-another-host',
    ['windows/popup-navigation.ts', ' && from.hostname === target.hostname', ''],
    [...popup, 'stays on plain http'],
  ),
  removedCheck(
    'files-outside-of-our-pages',
    [
      'windows/resolve-app-file.ts',
      'return file.startsWith(`${path.resolve(root)}${path.sep}`) ? file : undefined;',
      'return file;',
    ],
    [...appFile, 'finds nothing outside'],
  ),
  removedCheck(
    'files-of-another-host',
    ['windows/resolve-app-file.ts', '!url.href.startsWith(`${appOrigin}/`)', "url.href === ''"],
    [...appFile, 'knows no file at another host'],
  ),
  removedCheck(
    'calls-of-any-window',
    ['ipc/trusted-senders.ts', '!this.#ids.has(sender.id) || ', ''],
    [...senders, 'refuses other windows'],
  ),
  removedCheck(
    'calls-of-a-frame',
    ['ipc/trusted-senders.ts', ' || senderFrame !== sender.mainFrame', ''],
    [...senders, 'refuses frames'],
  ),
  removedCheck(
    'calls-of-any-page',
    ['ipc/trusted-senders.ts', '!senderFrame.url.startsWith(`${this.#origin}/`)', "senderFrame.url === ''"],
    [...senders, 'refuses the window when it shows'],
  ),
  removedCheck(
    'command-in-the-place-of-another',
    ['windows/link-command.ts', "if (!target.endsWith('/Contents/Resources/bin/postern')) return 'occupied';", ''],
    ['unit', 'unit/main/windows/link-command.test.ts', 'leaves alone what is not ours'],
  ),
];
