/** A sign-in whose hosts have several owners. */
export const hostsWords = {
  title: 'The sign-in uses hosts that are not known to have one owner',
  text: 'Some services work this way, but so does a trap. Go on only if you expected these hosts here.',
  page: 'Sign-in page',
  token: 'Receives the sign-in',
  service: 'Sign-in service',
  agree: (hosts: readonly string[]) => `This server may use ${hosts.join(' and ')}`,
  goOn: 'Go on',
  stop: 'Stop',
};
