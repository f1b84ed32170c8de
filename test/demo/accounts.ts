/** The users of the demo. Any password works: there is nothing to protect. */
export interface Account {
  readonly username: string;
  readonly name: string;
  readonly initials: string;
}

export const accounts: readonly Account[] = [
  { username: 'demo', name: 'Demo User', initials: 'DU' },
  { username: 'ada', name: 'Ada Lovelace', initials: 'AL' },
  { username: 'grace', name: 'Grace Hopper', initials: 'GH' },
];

/** Ignores case and surrounding spaces. */
export function findAccount(username: string): Account | undefined {
  const normalizedName = username.trim().toLowerCase();
  return accounts.find((account) => account.username === normalizedName);
}
