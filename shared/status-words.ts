import type { ActivityView } from './activity.ts';
import type { StepView } from './connection-view.ts';
import type { IntegrationStatus, IntegrationView } from './integration-view.ts';
import type { Integration } from './integration.ts';

/** The status of a server in English; the command line shows it in lower case. */
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
 * Faults of a local server, an app's entry or a collection that have no error code, with the step that helps. Each
 * surface words the steps itself: as buttons or commands.
 */
export const checkSteps = {
  stopped: 'start',
  failing: 'see-output',
  'server-gone': 'remove-entry',
  revoked: 'remove-entry',
  'not-allowed': 'allow',
  'old-port': 'renew-address',
  'old-secret': 'renew-address',
  excluded: 'change-setting',
  'command-gone': 'renew',
  'other-version': 'renew',
  waiting: 'paste',
  empty: 'add-servers',
} as const;

export type CheckFault = keyof typeof checkSteps;
export type CheckStep = (typeof checkSteps)[CheckFault];

/** Facts that the message may contain. */
export interface CheckFacts {
  /** The app. */
  readonly of: string;
  /** The missing collection. */
  readonly collection?: string | undefined;
  /** The command that the entry starts. */
  readonly command?: string | undefined;
  /** A setting of the app itself. */
  readonly setting?: string | undefined;
}

/** Follows the name of an app's entry, in the window and on the command line. */
export const entryFaultWords = {
  'server-gone': ({ collection }) =>
    collection === undefined
      ? 'points to a server that is no longer connected.'
      : `points to the collection ${collection}, which no longer exists.`,
  revoked: ({ of }) => `does not work: the access of ${of} was revoked.`,
  'not-allowed': ({ of }) => `does not work: ${of} is not allowed to use that server.`,
  'old-port': () => 'contains a port that Postern no longer uses.',
  'old-secret': ({ of }) => `contains a secret that ${of} no longer has.`,
  excluded: ({ of, setting = '' }) => `is not used because of the setting ${setting} of ${of}.`,
  'command-gone': ({ command = '' }) => `starts ${command}, which no longer exists.`,
  'other-version': ({ command = '' }) => `starts another Postern: ${command}.`,
} satisfies Partial<Record<CheckFault, (facts: CheckFacts) => string>>;

/**
 * Each discovery step by its outcome. `waiting`: this host got too many requests before. `not-found`: it responded, but
 * without what Postern looked for.
 */
export const discoveryStepWords: Readonly<Record<StepView['outcome'], Readonly<Record<StepView['step'], string>>>> = {
  waiting: {
    probe: 'Waiting to contact the server',
    'tools-probe': 'Waiting to list its tools',
    'resource-metadata': 'Waiting to find out where to sign in',
    'authorization-server-metadata': 'Waiting to find out how to sign in',
    method: 'Waiting to choose the sign-in method',
  },
  started: {
    probe: 'Contacting the server',
    'tools-probe': 'Listing its tools',
    'resource-metadata': 'Finding out where to sign in',
    'authorization-server-metadata': 'Finding out how to sign in',
    method: 'Choosing the sign-in method',
  },
  found: {
    probe: 'The server responds',
    'tools-probe': 'The server responds when asked for its tools',
    'resource-metadata': 'The server says where to sign in',
    'authorization-server-metadata': 'The sign-in service says how to sign in',
    method: 'Sign-in method found',
  },
  'not-found': {
    probe: 'The server responds without asking for a sign-in',
    'tools-probe': 'Its tools need no sign-in either',
    'resource-metadata': 'The server does not say where to sign in',
    'authorization-server-metadata': 'The sign-in service does not say how to sign in',
    method: 'No sign-in found',
  },
  failed: {
    probe: 'The server sent no usable response',
    'tools-probe': 'The server sent no usable list of tools',
    'resource-metadata': 'Could not find out where to sign in',
    'authorization-server-metadata': 'Could not find out how to sign in',
    method: 'Could not choose a sign-in method',
  },
};

/** Whether the user has to act. They stopped a stopped server themselves. */
export function needsUser({ status }: Pick<IntegrationView, 'status'>): boolean {
  return !['ready', 'offline', 'stopped'].includes(status.name);
}

/** Methods whose success proves that the server works: only the server answers them. */
export const usageMethods: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Whether lists for the user include it: handshakes, listings and the like only if they did not work. */
export function isActivity({ method, outcome }: Pick<ActivityView, 'method' | 'outcome'>): boolean {
  return usageMethods.has(method) || (outcome !== 'ok' && outcome !== 'cancelled');
}

/** Whether the call failed. One that the app cancelled, or that the user did not allow, did not. */
export function hasFailed({ outcome, failure }: Pick<ActivityView, 'outcome' | 'failure'>): boolean {
  return outcome !== 'ok' && outcome !== 'cancelled' && failure?.decision === undefined;
}

/** Milliseconds; enough time to create a new secret at the service before tools start to fail. */
const warningPeriod = 7 * 24 * 60 * 60_000;

/**
 * When a client secret that the user entered expires (milliseconds since 1970), if within seven days or past. Postern
 * replaces secrets from its own registration at the next sign-in, so they need no warning.
 */
export function secretEndingSoon(
  { method, clientSecretExpiresAt: end }: Pick<Integration, 'method' | 'clientSecretExpiresAt'>,
  now: number,
): number | undefined {
  return method === 'OAuth' && end !== undefined && end - now <= warningPeriod ? end : undefined;
}
