import { undoSeconds } from '../../../shared/deletion-bounds.ts';
import { integrationWords } from './integration-words.ts';

const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'sign-in' : 'sign-ins'}`;

export const deletionWords = {
  setting: 'All data',
  settingText: 'Servers, sign-ins, settings and logs that Postern keeps on this computer.',
  open: 'Delete all data…',
  goes: 'What is deleted on this computer',
  goesServers: (count: number) => `${servers(count)}, with name, address and options`,
  goesSignIns: (count: number) => `${signIns(count)} and API keys, and the key to them in the keychain`,
  goesSettings: 'all settings, the callback port too, and the logs',
  goesPrograms: 'collections, which programs may use what, what they called, and the copies of their files',
  goesThen: 'The services are told that the access ends, as far as they can be reached.',
  stays: 'What stays',
  staysAccounts: 'your accounts at the services, and all that you have stored there',
  staysApps: 'apps that you created at a service yourself',
  left: (count: number) => (count === 0 ? 'Telling the services.' : `${servers(count)} left.`),
  done: (count: number) => `${signIns(count)} removed from the keychain.`,
  partly: (count: number, gone: number) =>
    `${servers(count)} and ${signIns(gone)} are deleted; something is still here.`,
  ended: (count: number) => (count === 0 ? '' : `The services have ended the access of ${signIns(count)}.`),
  endsByItself: (count: number) =>
    count === 0 ? '' : `For ${signIns(count)} the service could not be told; that access ends by itself.`,
  registrations: (count: number) =>
    count === 0 ? '' : `${count} ${count === 1 ? 'registration stays' : 'registrations stay'} at the services, unused.`,
  /** Of a sign-out and of a removal, by the name of one server. */
  begun: {
    signOut: (name: string, count: number) => `You are signed out of ${count === 1 ? name : servers(count)}.`,
    remove: (name: string, count: number) => `${count === 1 ? name : servers(count)} removed.`,
  },
  undo: 'Undo',
  now: 'Delete now',
  final: `This becomes final after ${undoSeconds} seconds.`,
  telling: 'Deleting, and telling the service.',
  /** `name`: of the only one. */
  finished: {
    signOut: (name: string | undefined, count: number) =>
      `The ${count === 1 ? `sign-in to ${name ?? servers(1)} was` : `sign-ins to ${servers(count)} were`} deleted from this computer.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} was` : `${servers(count)} were`} removed from this computer.`,
  },
  /** Something new was made of them meanwhile, by another window or command. */
  kept: {
    signOut: (name: string | undefined, count: number) =>
      `Somebody has signed in to ${count === 1 ? (name ?? servers(1)) : servers(count)} again: that sign-in stays.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} is` : `${servers(count)} are`} in the list again, and stay${count === 1 ? 's' : ''} there.`,
  },
  back: {
    signOut: (name: string, count: number) => `You are signed in to ${count === 1 ? name : servers(count)} again.`,
    remove: (name: string, count: number) => `${count === 1 ? `${name} is` : `${servers(count)} are`} back.`,
  },
  tooLate: 'It was too late: the deletion has begun.',
  entriesLeft: (programs: readonly string[]) =>
    programs.length === 0
      ? ''
      : `The entry in ${programs.join(', ')} could not be put back. Add it again under ${integrationWords.use}.`,
  stillHere: {
    signOut: (name: string, count: number) =>
      count === 1
        ? `The sign-in to ${name} is still on this computer.`
        : `Not every sign-in to ${servers(count)} could be deleted.`,
    remove: (name: string, count: number) =>
      count === 1
        ? `What is kept for ${name} is still on this computer.`
        : `Not everything of ${servers(count)} could be deleted.`,
  },
  triesAgain: (reason: string) => `${reason} Postern tries again at its next start.`,
};
