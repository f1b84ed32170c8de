import type { IntegrationStatus } from './integration-view.ts';

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
