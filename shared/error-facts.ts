import type { Remedy } from './remedy.ts';

/**
 * What the catalogue says of an error beside its sentence: callers go on by these, and by types, never by a code, a
 * stage or a detail.
 */
export const errorFacts = [
  // addresses
  /** The text is no address that anybody could mean, rather than one that must not be contacted. */
  'not-an-address',
  /** A host that must not be contacted. */
  'forbidden-host',
  // the network
  /** Nobody answered. */
  'unanswered',
  /** The name, the connection or the time: there is no server to be reached just now. */
  'server-away',
  /** The connection was not made, or broke. */
  'broken-connection',
  /** The time for an answer was over. */
  'timeout',
  /** No encrypted connection: that does not come right by itself. */
  'tls',
  /** There was an answer, of which the HTTP client takes nothing. */
  'unreadable-answer',
  /** More in one answer than is taken. */
  'large-result',
  /** It may pass by itself, and leaves a server what it was: nobody answered, or a renewal failed. */
  'passing',
  // sign-in
  /** The service publishes nothing about how to sign in. */
  'nothing-published',
  /** The sign-in service has a fault of its own just now. */
  'service-down',
  /** The browser could not be opened; its link works all the same. */
  'browser-unopened',
  /** The end of a sign-in of which its page knows nothing: nobody listens any more where it leads back to. */
  'page-left-open',
  /** The server refuses an access token which it may take again: its tokens are kept. */
  'refused-sign-in',
  /** There is no sign-in to use. */
  'sign-in-required',
  /** The sign-in was not renewed. */
  'renewal',
  /** The service refused the renewal without saying that the sign-in has ended. */
  'renewal-refused',
  // what the user does
  /** The work was called off. */
  'cancelled',
  /** The user stopped waiting. */
  'interrupted',
  /** The user decided so: nothing has failed. */
  'own-choice',
  // servers
  /** What answers is no MCP server. */
  'not-mcp',
  /** It happened to one operation. The next one may succeed, so the server is not to blame. */
  'operation',
  /** It stopped a request on this computer, before the server had any part in it. */
  'stopped-here',
  /** It happened between an AI app and Postern. The server has no part in it. */
  'app-connection',
  /** The connection ended before there was an answer. */
  'session-lost',
  /** A server on this computer that is not to be started, or does not do what it should. */
  'local-server',
  /** Of those, what the list or the runner of the command says itself for as long as it is so. */
  'local-state',
  // this computer
  /** The keychain, and what is sealed with its key. */
  'keychain',
  /** There is no keychain to use. */
  'no-keychain',
  /** One record of the vault; the others may be fine. */
  'damaged-record',
  /** The profile folder and its files: the same for every server in it. */
  'profile',
  /** What is in the settings file cannot be used, and can be mended there. */
  'settings-content',
  /** One AI app and its file: another app may fare better. */
  'app-file',
  /** Of an app's file: this computer does not let Postern read or write it. */
  'app-file-denied',
  /** Of an app: its own command did not take the change. */
  'app-command',
  /** A mistake of Postern itself. */
  'bug',
] as const;

export type ErrorFact = (typeof errorFacts)[number];

/** An error, its plain form, or its entry in the catalogue. */
export interface Stated {
  readonly about?: readonly ErrorFact[] | undefined;
}

/** Whether the catalogue says so of the error. */
export function isAbout({ about }: Stated, fact: ErrorFact): boolean {
  return about?.includes(fact) ?? false;
}

interface Coded {
  readonly code?: string | undefined;
}

/** Whether both are the same failure, which is then said once: all that codes are compared for. */
export function isSameError(one: Coded | undefined, other: Coded | undefined): boolean {
  return one?.code !== undefined && one.code === other?.code;
}

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
