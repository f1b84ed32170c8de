import type { ActivityCall } from './activity.ts';
import type { StepView } from './connection-view.ts';
import type { IntegrationStatus, IntegrationView } from './integration-view.ts';
import type { Integration } from './integration.ts';

/** The status of a server in English: the window shows it so, the command line in small letters. */
export const statusWords = {
  ready: 'Ready',
  signIn: 'Not signed in',
  signInAgain: 'Needs sign-in',
  offline: 'Offline',
  failing: 'Not working',
  notAllowed: 'Not allowed yet',
  stopped: 'Stopped',
  needsAccess: 'Needs more access',
  storageProblem: 'Storage problem',
} satisfies Record<IntegrationStatus['name'], string>;

/**
 * What is wrong with a server on this computer, an entry of an app or a collection, where no error tells, and the step
 * that helps. Each surface has words for the steps: buttons to look for, or commands.
 */
export const checkSteps = {
  stopped: 'start',
  failing: 'see-output',
  'server-gone': 'take-out',
  revoked: 'take-out',
  'not-allowed': 'allow',
  'old-port': 'renew-address',
  'old-secret': 'renew-address',
  'kept-out': 'change-setting',
  'command-gone': 'renew',
  'other-version': 'renew',
  waiting: 'paste',
  empty: 'add-servers',
} as const;

export type CheckFault = keyof typeof checkSteps;
export type CheckStep = (typeof checkSteps)[CheckFault];

/** What the sentence about a fault names. */
export interface CheckFacts {
  /** The app. */
  readonly of: string;
  /** The one that is gone. */
  readonly collection?: string | undefined;
  /** What the entry starts. */
  readonly command?: string | undefined;
  /** Of the app itself. */
  readonly setting?: string | undefined;
}

/** What is wrong with an entry of an app, behind its name; the command line says it in these words too. */
export const entryFaultWords = {
  'server-gone': ({ collection }) =>
    collection === undefined
      ? 'leads to a server that is not connected any more.'
      : `leads to the collection ${collection}, which is not there any more.`,
  revoked: ({ of }) => `leads nowhere: ${of} may use nothing of Postern any more.`,
  'not-allowed': ({ of }) => `leads nowhere: ${of} may not use that server.`,
  'old-port': () => 'holds a port that Postern does not have any more.',
  'old-secret': ({ of }) => `holds a secret that ${of} does not have any more.`,
  'kept-out': ({ of, setting = '' }) => `is not used: a setting of ${of} keeps it out, ${setting}.`,
  'command-gone': ({ command = '' }) => `starts ${command}, which is not there any more.`,
  'other-version': ({ command = '' }) => `starts another Postern than this one: ${command}.`,
} satisfies Partial<Record<CheckFault, (facts: CheckFacts) => string>>;

/**
 * Each step of a discovery in words, by what came of it. `waiting`: too many requests went to this host before.
 * `not-found`: an answer, without what was looked for.
 */
export const discoveryStepWords: Readonly<Record<StepView['outcome'], Readonly<Record<StepView['step'], string>>>> = {
  waiting: {
    probe: 'Waiting to ask the server',
    'tools-probe': 'Waiting to ask the server for its tools',
    'resource-metadata': 'Waiting to read where to sign in',
    'authorization-server-metadata': 'Waiting to read how to sign in',
    method: 'Waiting to decide how to sign in',
  },
  started: {
    probe: 'Asking the server',
    'tools-probe': 'Asking the server for its tools',
    'resource-metadata': 'Reading where to sign in',
    'authorization-server-metadata': 'Reading how to sign in',
    method: 'Deciding how to sign in',
  },
  found: {
    probe: 'The server answers',
    'tools-probe': 'The server answers for its tools',
    'resource-metadata': 'The server says where to sign in',
    'authorization-server-metadata': 'The sign-in service says how to sign in',
    method: 'It is clear how to sign in',
  },
  'not-found': {
    probe: 'The server answers and names no sign-in',
    'tools-probe': 'The server names no sign-in for its tools either',
    'resource-metadata': 'Nothing there about where to sign in',
    'authorization-server-metadata': 'Nothing there about how to sign in',
    method: 'No sign-in found',
  },
  failed: {
    probe: 'The server gave no usable answer',
    'tools-probe': 'The server gave no usable answer for its tools',
    'resource-metadata': 'Where to sign in could not be read',
    'authorization-server-metadata': 'How to sign in could not be read',
    method: 'How to sign in could not be found out',
  },
};

/** The person has to do something about it; what they have stopped is as they want it. */
export function needsPerson({ status }: Pick<IntegrationView, 'status'>): boolean {
  return !['ready', 'offline', 'stopped'].includes(status.name);
}

/** Whether something went wrong: what the program gave up by itself did not. */
export function hasFailed({ outcome }: Pick<ActivityCall, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'cancelled';
}

/** Milliseconds: time enough to make a new secret at the service before tools begin to fail. */
const notice = 7 * 24 * 60 * 60_000;

/**
 * The moment (milliseconds since 1970) at which a client secret that the person typed ends, if that is within seven
 * days or past. One that Postern got by registering is replaced by itself at the next sign-in, so nobody need know.
 */
export function secretEndingSoon(
  { method, clientSecretExpiresAt: end }: Pick<Integration, 'method' | 'clientSecretExpiresAt'>,
  now: number,
): number | undefined {
  return method === 'OAuth' && end !== undefined && end - now <= notice ? end : undefined;
}
