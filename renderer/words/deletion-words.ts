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
  goesPrograms: 'which programs may use what, what they called, and the copies of their files',
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
};
