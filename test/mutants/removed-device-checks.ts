import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const device = ['contract', 'contract/device-sign-in.test.ts'] as const;
const code = ['unit', 'unit/main/oauth/token/device-code.test.ts'] as const;
const poll = ['unit', 'unit/main/oauth/token/device-tokens.test.ts'] as const;

/** Signing in on another device (RFC 8628). */
export const removedDeviceChecks: readonly Mutant[] = [
  removedCheck(
    'device-page-of-anybody',
    [
      'signInOnDevice',
      'await agreeToHosts($flow, $interaction, { options: $hosts }, $page, $signal)',
      'await agreeToHosts($flow, $interaction, { options: $hosts }, $discovery, $signal)',
    ],
    [...device, 'of another owner is shown to whoever agrees to it'],
  ),
  removedCheck(
    'device-page-unchecked',
    ['requestDeviceCode', "checkPublishedAddress($text, $place, $policy, 'authorization')", '$text as never'],
    [...device, 'is shown to nobody'],
  ),
  removedCheck(
    'device-link-to-another-host',
    ['requestDeviceCode', 'if (URL.parse($text)?.origin !== $from.origin) return undefined;', ''],
    [...device, 'has no link with the code in it'],
  ),
  removedCheck(
    'device-code-of-any-text',
    ['requestDeviceCode', '!typeable.test($userCode)', 'false'],
    [...device, 'is shown to nobody'],
  ),
  removedCheck(
    'device-code-of-any-length',
    ['requestDeviceCode', '$userCode.length > deviceCodeLimit.length', '$userCode.length === 0'],
    [...device, 'is shown to nobody'],
  ),
  removedCheck(
    'device-code-for-years',
    ['requestDeviceCode', 'Math.min($expiresIn * 1_000, deviceCodeLimit.longest)', '$expiresIn * 1_000'],
    [...code, 'bounds'],
  ),
  removedCheck(
    'device-polls-without-pause',
    ['requestDeviceCode', 'Math.min(Math.max($asked, $shortest), $longest)', '$asked'],
    [...code, 'bounds'],
  ),
  removedCheck(
    'device-polls-on-when-told-to-slow-down',
    ['pollForTokens', '$interval += devicePoll.slowDown;', ''],
    [...poll, 'asks five seconds less often'],
  ),
  removedCheck(
    'device-polls-on-while-nobody-answers',
    ['pollForTokens', 'Math.min($pause * 2, $longest)', '$pause'],
    [...poll, 'asks less and less often'],
  ),
  removedCheck(
    'device-polls-for-ever',
    ['pollForTokens', 'if ($left() <= 0) throw expired($lifetime, $lifetime < $poll.lifetime);', ''],
    [...poll, 'though the service never says so'],
  ),
  removedCheck(
    'device-registration-without-its-grant',
    ['findOrRegister', '$forDevices !== true || $kept.forDevices === true', 'true'],
    [...device, 'registers once more where the client that is kept is not for it'],
  ),
  removedCheck(
    'device-code-that-stays-in-sight',
    ['closeSignInPage', "if (waitingFor($attempt, 'device')) $attempt.waiting = undefined;", ''],
    [...device, 'goes back to a browser, and can be stopped'],
  ),
  removedCheck(
    'device-sign-in-unoffered',
    ['deviceEndpoint', '$grants.length === 0 || $grants.includes(deviceGrant) ? $endpoint : undefined', '$endpoint'],
    [...device, 'is said before anything is registered'],
  ),
];
