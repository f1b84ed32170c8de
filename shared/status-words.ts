import type { ActivityCall } from './activity.ts';
import type { StepView } from './connection-view.ts';
import type { IntegrationStatus, IntegrationView } from './integration-view.ts';

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

/** Each step of a discovery in words, by what came of it. `not-found`: an answer, without what was looked for. */
export const discoveryStepWords: Readonly<Record<StepView['outcome'], Readonly<Record<StepView['step'], string>>>> = {
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
