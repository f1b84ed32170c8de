import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const oauth = 'unit/main/oauth';
const listener = ['contract', 'contract/callback-listener.test.ts'] as const;
const session = ['unit', 'unit/main/engine/sign-in/authorization-session.test.ts'] as const;
const servers = ['contract', 'contract/quirks/authorization-servers.test.ts'] as const;
const signIn = ['contract', 'contract/sign-in.test.ts'] as const;
const senders = ['unit', 'unit/main/window/ipc/answer-call.test.ts'] as const;
const popup = ['unit', 'unit/main/window/electron/popup-navigation.test.ts'] as const;
const appFile = ['unit', 'unit/main/window/electron/resolve-app-file.test.ts'] as const;

/** Who gets a code, a token or a secret, who may bring a callback, and which page may ask or lead where. */
export const removedSignInChecks: readonly Mutant[] = [
  removedCheck(
    'sign-in-by-code-alone',
    ['remedyFor', '[$given, ...$codes]', '[...$codes]'],
    ['unit', 'unit/main/error-remedy.test.ts', 'follows what the error itself says'],
  ),
  removedCheck(
    'advice-to-check-what-nobody-typed',
    ['remedyFor', '$step !== undefined && !$checksInput($step)', '$step !== undefined'],
    ['unit', 'unit/main/error-remedy.test.ts', 'advises to check what was typed only'],
  ),
  removedCheck(
    'code-with-credentials-of-another-issuer',
    ['exchangeAuthorizationCode', '$credentials.issuerKey !== $request.issuerKey || $a', '$a'],
    ['unit', `${oauth}/token/token-request.test.ts`, 'sends nothing for credentials'],
  ),
  removedCheck(
    'code-with-another-client',
    ['exchangeAuthorizationCode', '$a || $credentials.clientId !== $request.clientId', '$a'],
    ['unit', `${oauth}/token/token-request.test.ts`, 'sends nothing for credentials'],
  ),
  removedCheck(
    'authorization-with-credentials-of-another-issuer',
    ['AuthorizationRequest', '$credentials.issuerKey !== $issuerKey', "$credentials.issuerKey === ''"],
    ['unit', `${oauth}/authorization/authorization-request.test.ts`, 'refuses credentials of another issuer'],
  ),
  removedCheck(
    'parameters-of-the-endpoint-beside-ours',
    ['AuthorizationRequest', '($name) => $names.has($name)', "($name) => $name === ''"],
    ['unit', `${oauth}/authorization/authorization-request.test.ts`, 'doubles no parameter'],
  ),
  removedCheck(
    'session-of-another-organisation',
    ['AuthorizationRequest', '!sameRegistrableDomain($server.hostname, $endpoint.hostname)', 'false'],
    ['unit', `${oauth}/authorization/authorization-request.test.ts`, 'with typed credentials at'],
  ),
  removedCheck(
    'secret-over-plain-http',
    [
      'checkTokenEndpoint',
      "return checkPublishedAddress($endpoint, { member: 'token_endpoint', publisher: $issuer }, $policy, $stage);",
      'return checkAddress(parseAddress($endpoint, $stage), $policy, $stage);',
    ],
    ['unit', `${oauth}/token/token-endpoint.test.ts`, 'at the moment of use'],
  ),
  removedCheck(
    'tokens-at-any-address',
    ['exchangeAtTokenEndpoint', 'checkTokenEndpoint($endpoint, $issuerKey, $policy, $stage)', '$endpoint'],
    ['unit', `${oauth}/token/refresh.test.ts`, 'again at use'],
  ),
  removedCheck(
    'revocation-at-any-address',
    [
      'Revocation',
      "const $endpoint = checkTokenEndpoint($revocationEndpoint, $issuer, $policy, 'connection');",
      'const $endpoint = $revocationEndpoint;',
    ],
    ['unit', `${oauth}/token/revocation.test.ts`, 'sends no token to'],
  ),
  removedCheck(
    'registration-deleted-at-another-owner',
    ['RegistrationDeletion', "if (!$isItsOwn) return 'not-offered';", ''],
    ['unit', `${oauth}/client/registration-deletion.test.ts`, 'never contacts'],
  ),
  removedCheck(
    'registration-deleted-over-plain-http',
    ['RegistrationDeletion', "checkDowngrade($issuer, $url, 'connection');", ''],
    ['unit', `${oauth}/client/registration-deletion.test.ts`, 'never leaves https'],
  ),
  removedCheck(
    'registration-deleted-inside',
    ['deleteRegistration', "checkAddress($url, $policy, 'connection')", '$url.href'],
    ['unit', `${oauth}/client/registration-deletion.test.ts`, 'contacts nobody inside'],
  ),
  removedCheck(
    'secret-of-the-service-before',
    [
      'askForCredentials',
      'const $known = $earlier?.issuerKey === $issuerKey ? $earlier : undefined;',
      'const $known = $earlier;',
    ],
    [...servers, 'is never shown the secret typed for the old one'],
  ),
  removedCheck(
    'tokens-of-the-service-before',
    ['install', '$kept.issuerKey !== $tokens.issuerKey', '$kept.issuerKey === $tokens.issuerKey'],
    [...servers, 'is registered with anew and signed in to again'],
  ),

  removedCheck(
    'pasted-address-of-another-place',
    ['submitAddress', "if (`${$landed.origin}${$landed.pathname}` !== $callbackUrl) return 'not-valid';", ''],
    [...session, 'ignores another address'],
  ),
  removedCheck(
    'state-of-a-cancelled-sign-in',
    ['AuthorizationSession', "this.$end ??= 'expired';", ''],
    [...session, 'is dead once it was cancelled'],
  ),
  removedCheck(
    'callback-at-any-path',
    [
      'CallbackRequest',
      '($mark < 0 ? $target : $target.slice(0, $mark)) !== callbackPath',
      "($mark < 0 ? $target : $target.slice(0, $mark)) === ''",
    ],
    [...listener, 'does not know the path'],
  ),
  removedCheck(
    'wrong-states-without-bound',
    ['createCallbackReceiver', '$wrong > wrongStateRequests', '$wrong < 0'],
    [...listener, 'slows down wrong states'],
  ),
  removedCheck(
    'right-state-shut-out',
    [
      'createCallbackReceiver',
      "$verdict === 'not-valid' && $wrong > wrongStateRequests",
      '$wrong > wrongStateRequests',
    ],
    [...listener, 'slows down wrong states'],
  ),
  removedCheck(
    'localhost-in-one-family',
    ['createCallbackReceiver', "localhost: ['127.0.0.1', '::1']", "localhost: ['127.0.0.1']"],
    [...listener, 'does not take `localhost` while'],
  ),

  removedCheck(
    'popup-to-any-scheme',
    [
      'mayPopupNavigate',
      "if ($target?.protocol !== 'http:') return false;",
      "if ($target?.protocol !== 'http:') return true;",
    ],
    [...popup, 'refuses'],
  ),
  removedCheck(
    'popup-over-plain-http',
    ['mayPopupNavigate', "classifyHost($target.hostname) === 'loopback'", "$target.hostname !== ''"],
    [...popup, 'refuses'],
  ),
  removedCheck(
    'popup-over-plain-http-at-another-host',
    [
      'mayPopupNavigate',
      "$from?.protocol === 'http:' && $from.hostname === $target.hostname",
      "$from?.protocol === 'http:'",
    ],
    [...popup, 'stays on plain http'],
  ),
  removedCheck(
    'files-outside-of-our-pages',
    [
      'resolveAppFile',
      'return $file.startsWith(`${path.resolve($root)}${path.sep}`) ? $file : undefined;',
      'return $file;',
    ],
    [...appFile, 'finds nothing outside'],
  ),
  removedCheck(
    'files-of-another-host',
    ['resolveAppFile', '!$url.href.startsWith(`${appOrigin}/`)', "$url.href === ''"],
    [...appFile, 'knows no file at another host'],
  ),
  removedCheck(
    'sign-in-before-the-keychain',
    ['signIn', 'await (await $ports.vault()).ready();', ''],
    [...signIn, 'opens no browser without a keychain, which fails late'],
    [...signIn, 'asks nobody for a client without a keychain, which fails late'],
    [...signIn, 'registers no client without a keychain, which fails late'],
  ),
  removedCheck(
    'calls-of-any-window',
    ['TrustedSenders', '!this.$ids.has($sender.id) || $senderFrame === null', '$senderFrame === null'],
    [...senders, 'refuses other windows'],
  ),
  removedCheck(
    'calls-of-a-frame',
    ['TrustedSenders', '$a || $senderFrame !== $sender.mainFrame', '$a'],
    [...senders, 'refuses frames'],
  ),
  removedCheck(
    'calls-of-any-page',
    ['TrustedSenders', '!$senderFrame.url.startsWith(`${this.$origin}/`)', "$senderFrame.url === ''"],
    [...senders, 'refuses the window when it shows'],
  ),
  removedCheck(
    'command-in-the-place-of-another',
    ['linkCommand', "if (!$target.endsWith('/Contents/Resources/bin/postern')) return 'occupied';", ''],
    ['unit', 'unit/main/window/electron/link-command.test.ts', 'leaves alone what is not ours'],
  ),
];
