/** Why a surviving mutant is no gap in the tests. */
type Reason =
  /** Same behavior: the check only saves time, or a later check refuses the same input. */
  | 'equivalent'
  /** Differs only in a race or on a system that the tests do not run on. */
  | 'unreachable here';

/** Generated mutants that may survive, by name. */
export const acceptedSurvivors: ReadonlyMap<string, readonly [Reason, because: string]> = new Map([
  [
    'main/net/http/request-failure.ts:readCode:operand:1',
    ['equivalent', 'a code that is not a string does not match the uppercase pattern either'],
  ],
  [
    'main/net/http/request-failure.ts:validity:boundary:1',
    ['equivalent', 'they differ only in the millisecond in which a certificate expires'],
  ],
  [
    'main/net/http/request-failure.ts:validity:boundary:2',
    ['equivalent', 'they differ only in the millisecond in which a certificate becomes valid'],
  ],
  [
    'main/oauth/client/client-configuration.ts:deleteRegistration:operand:1',
    ['equivalent', 'the next lines refuse a missing address with the same result'],
  ],
  [
    'main/oauth/client/registration-response.ts:readDocument:guard:2',
    ['equivalent', 'a value that is not an object has no client_id, which is refused in the same way'],
  ],
  [
    'main/oauth/client/registration-response.ts:readDocument:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
  [
    'main/oauth/client/registration-response.ts:readExpiry:operand:1',
    ['equivalent', 'a number is the same after conversion to text and back'],
  ],
  [
    'main/oauth/client/registration-response.ts:readSecret:operand:4',
    ['equivalent', 'a value that is not a string is never too long'],
  ],
  [
    'main/oauth/discovery/unmet-demand.ts:demandOfClient:operand:5',
    ['equivalent', 'a value that is not a string is in no list of methods'],
  ],
  [
    'main/oauth/token/device-grant.ts:findPageWithCode:guard:1',
    ['equivalent', 'a value that is not a string is no URL on the origin of the page'],
  ],
  [
    'main/oauth/token/device-grant.ts:readDeviceCode:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
  [
    'main/oauth/token/identity-exchange.ts:readAssertion:throw:1',
    ['equivalent', 'the same error follows, since nothing was read'],
  ],
  [
    'main/oauth/token/pushed-request.ts:readPushed:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
  ['main/storage/profile/server-files.ts:bytesOf:operand:3', ['equivalent', 'an error without a code is not ENOENT']],
  [
    'main/storage/vault/vault.ts:openVault.verify:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
]);
