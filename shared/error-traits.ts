import type { Remedy } from './remedy.ts';

/**
 * Traits of an error in the catalog. Callers branch on these and on types, never on a code, a stage or a detail.
 */
export const errorTraits = [
  // Addresses
  /** The text is not an address at all, as opposed to a forbidden one. */
  'not-an-address',
  /** A host that must not be contacted. */
  'forbidden-host',
  // The network
  /** Nothing responded. */
  'unanswered',
  /** The server can't be reached right now: DNS, connection or timeout. */
  'server-away',
  /** The connection failed or broke. */
  'broken-connection',
  /** The response timed out. */
  'timeout',
  /** No encrypted connection; a retry does not help. */
  'tls',
  /** The HTTP client rejected the response. */
  'unreadable-answer',
  /** The response is too large. */
  'large-result',
  /** Temporary, and it says nothing about the server: nothing responded, or a renewal failed. */
  'passing',
  // Sign-in
  /** The service publishes nothing about how to sign in. */
  'nothing-published',
  /** The sign-in service is having problems. */
  'service-down',
  /** The browser could not be opened, but the link works. */
  'browser-unopened',
  /** The sign-in ended without its page knowing: nothing listens at the callback anymore. */
  'page-left-open',
  /** The server rejects an access token that it may accept later, so the tokens stay stored. */
  'refused-sign-in',
  /** There is no sign-in to use. */
  'sign-in-required',
  /** The sign-in was not renewed. */
  'renewal',
  /** The service refused the renewal without saying that the sign-in ended. */
  'renewal-refused',
  // What the user does
  /** The work was cancelled. */
  'cancelled',
  /** The user stopped waiting. */
  'interrupted',
  /** The user's own decision: nothing failed. */
  'own-choice',
  /** It waits for a decision of the user, who has not made it: nothing failed. */
  'undecided',
  /** The user was asked, and did not answer in time. */
  'not-answered',
  // Servers
  /** The endpoint is not an MCP server. */
  'not-mcp',
  /** It happened to one operation. The next one may succeed, so the server is not to blame. */
  'operation',
  /** It stopped a request on this computer, before the server had any part in it. */
  'stopped-here',
  /** It happened between an AI app and Postern. The server has no part in it. */
  'app-connection',
  /** The connection ended before the response. */
  'session-lost',
  /** A local server that may not start, or does not work. */
  'local-server',
  /** A state of a local server that the list or its runner already reports. */
  'local-state',
  // This computer
  /** The keychain, and data encrypted with its key. */
  'keychain',
  /** There is no usable keychain. */
  'no-keychain',
  /** One record of the vault; the others may be fine. */
  'damaged-record',
  /** The profile folder and its files, so it affects every server. */
  'profile',
  /** The settings file's content is unusable and can be fixed there. */
  'settings-content',
  /** One AI app and its file; other apps may work. */
  'app-file',
  /** The system does not let Postern read or write an app's file. */
  'app-file-denied',
  /** An app's own command rejected the change. */
  'app-command',
  /** A bug in Postern. */
  'bug',
] as const;

export type ErrorTrait = (typeof errorTraits)[number];

/** An error, its plain form, or its entry in the catalog. */
export interface HasTraits {
  readonly traits?: readonly ErrorTrait[] | undefined;
}

export function hasTrait({ traits }: HasTraits, trait: ErrorTrait): boolean {
  return traits?.includes(trait) ?? false;
}

interface Coded {
  readonly code?: string | undefined;
}

/** Whether both are the same failure, to report it once: the only purpose of comparing codes. */
export function isSameError(one: Coded | undefined, other: Coded | undefined): boolean {
  return one?.code !== undefined && one.code === other?.code;
}

/**
 * Whose mistake an error is. Only with `input` may the remedy ask to check what was typed.
 * - `input`: what the user typed, pasted or chose.
 * - `document`: what a service publishes about itself, including addresses.
 * - `answer`: a service's response, or a missing one.
 * - `network`: anything between here and a service.
 * - `computer`: this computer, its files, keychain and apps, including Postern.
 * - `command`: a local server.
 * - `nobody`: a decision of the user, or a normal end.
 */
export const blames = ['input', 'document', 'answer', 'network', 'computer', 'command', 'nobody'] as const;

export type Blame = (typeof blames)[number];

/** Remedies that check the user's input, for use only if that is to blame. */
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

/** What only the user can do to make a call work again. `key`: there is no sign-in. */
export type UserAction = 'sign-in' | 'permissions' | 'key';

const userActions: Readonly<Partial<Record<Remedy['kind'], UserAction>>> = {
  'sign-in': 'sign-in',
  'sign-in-or-remove': 'sign-in',
  'correct-credentials': 'sign-in',
  'grant-scopes': 'permissions',
  'replace-key': 'key',
};

/** `undefined`: nothing the user can do, or not alone. */
export function userActionFor({ kind }: Remedy): UserAction | undefined {
  return userActions[kind];
}
