/** Why a mutant that no test notices is no hole in the tests. */
type Reason =
  /** The program does the same: what the check spares is time alone, or another check behind it refuses the same. */
  | 'equivalent'
  /** It tells the two apart only in a race or on a system that the tests do not have. */
  | 'unreachable here';

/** Generated mutants that may live, by name. One that is noticed after all fails, so that the list stays short. */
export const acceptedSurvivors: ReadonlyMap<string, readonly [Reason, because: string]> = new Map([
  [
    'main/net/http/request-failure.ts:readCode:operand:1',
    ['equivalent', 'a code that is no text is none in capitals either'],
  ],
  [
    'main/net/http/request-failure.ts:validity:boundary:1',
    ['equivalent', 'the two differ in the one millisecond in which a certificate ends'],
  ],
  [
    'main/net/http/request-failure.ts:validity:boundary:2',
    ['equivalent', 'the two differ in the one millisecond in which a certificate begins'],
  ],
  [
    'main/oauth/client/client-configuration.ts:deleteRegistration:operand:1',
    ['equivalent', 'without an address the next lines refuse what is none, with the same result'],
  ],
  [
    'main/oauth/client/registration-response.ts:readDocument:guard:2',
    ['equivalent', 'what is no object has no client_id, which is refused in the same way'],
  ],
  [
    'main/oauth/client/registration-response.ts:readDocument:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
  [
    'main/oauth/client/registration-response.ts:readExpiry:operand:1',
    ['equivalent', 'a number is the same after a detour through its text'],
  ],
  [
    'main/oauth/client/registration-response.ts:readSecret:operand:4',
    ['equivalent', 'what is no text has no length that is too large'],
  ],
  [
    'main/oauth/discovery/unmet-demand.ts:demandOfClient:operand:5',
    ['equivalent', 'what is no text is in no list of ways'],
  ],
  [
    'main/oauth/token/device-grant.ts:findPageWithCode:guard:1',
    ['equivalent', 'what is no text is no address on the origin of the page'],
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
  [
    'main/storage/profile/server-files.ts:bytesOf:operand:3',
    ['equivalent', 'an error without a code has none that is ENOENT'],
  ],
  [
    'main/storage/vault/vault.ts:openVault.verify:throw:1',
    ['equivalent', 'the same error follows, only without its cause'],
  ],
]);
