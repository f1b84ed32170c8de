/** The people who can sign in to the demo. Any password will do: nothing here is worth guarding. */
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

/** Case and surrounding blanks do not matter, as people type. */
export function findAccount(username: string): Account | undefined {
  const wanted = username.trim().toLowerCase();
  return accounts.find((account) => account.username === wanted);
}
