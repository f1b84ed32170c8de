import type { Remedy } from './remedy.ts';

/**
 * Whose mistake an error is. Only `input` may be answered with advice to check what was typed.
 * - `input`: what the user typed, pasted or chose.
 * - `document`: what a service publishes about itself, addresses in it included.
 * - `answer`: what a service answered, or that it gave no answer.
 * - `network`: what is between here and a service.
 * - `computer`: this computer, its files, keychain and apps, Postern among them.
 * - `command`: a server on this computer.
 * - `nobody`: a decision of the user, or what ends by itself.
 */
export const blames = ['input', 'document', 'answer', 'network', 'computer', 'command', 'nobody'] as const;

export type Blame = (typeof blames)[number];

/** Steps that check what the user typed: advice only where that is to blame. */
const inputSteps: ReadonlySet<Remedy['kind']> = new Set([
  'correct-address',
  'check-address',
  'give-address',
  'correct-key',
  'correct-client-key',
  'correct-credentials',
  'check-client',
  'check-document',
  'correct-input',
]);

export function checksInput(remedy: Remedy): boolean {
  if (remedy.kind === 'replace-key') return remedy.because === 'refused';
  if (remedy.kind === 'check-certificate') return remedy.problem === 'name';
  return inputSteps.has(remedy.kind);
}

/**
 * What only a person can do, so that a call goes through again. `key`: there is nobody to sign in.
 */
export type WayOut = 'sign-in' | 'permissions' | 'key';

const waysOut: Readonly<Partial<Record<Remedy['kind'], WayOut>>> = {
  'sign-in': 'sign-in',
  'sign-in-or-remove': 'sign-in',
  'correct-credentials': 'sign-in',
  'grant-scopes': 'permissions',
  'replace-key': 'key',
};

/** `undefined`: a person can do nothing, or it is not theirs alone to do. */
export function wayOutOf({ kind }: Remedy): WayOut | undefined {
  return waysOut[kind];
}
