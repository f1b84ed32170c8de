/** Why a mutant that no test notices is no hole in the tests. */
type Reason =
  /** The program does the same: what the check spares is time alone, or another check behind it refuses the same. */
  | 'equivalent'
  /** It tells the two apart only in a race or on a system that the tests do not have. */
  | 'unreachable here';

/** Generated mutants that may live, by name. One that is noticed after all fails, so that the list stays short. */
export const acceptedSurvivors: ReadonlyMap<string, readonly [Reason, because: string]> = new Map([
  [
    'main/oauth/client/client-configuration.ts:deleteRegistration:operand:1',
    ['equivalent', 'without an address the next lines refuse what is none, with the same result'],
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
