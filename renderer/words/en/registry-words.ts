import type { RegistryRefusal } from '../../../shared/registry-address.ts';

/** The MCP registry, where anybody publishes servers. */
export const registryWords = {
  title: 'MCP registry',
  choose: 'Search the MCP registry too',
  sends: (place: string) =>
    `Postern verifies nothing that is published there. What you typed is sent to ${place} when you press Search, and not before.`,
  search: (name: string, place: string) => `Search ${place} for “${name}”`,
  asking: (place: string) => `Asking ${place}`,
  stop: 'Cancel',
  nothing: (place: string) => `${place} has nothing under that name that Postern could use. Try another word.`,
  found: (count: number, place: string, time: string) =>
    `${count} ${count === 1 ? 'server' : 'servers'} at ${place}, as of ${time}.`,
  leftOut: (count: number) =>
    `${count} more ${count === 1 ? 'has' : 'have'} no address on the web that Postern could use.`,
  partial: 'There are others: type more of the name.',
  unverified: 'Not verified',
  known: 'Postern knows this one.',
  notThe: (name: string, place: string) => `Not the ${name} that Postern knows, which is at ${place}.`,
  old: 'It speaks only the old transport, HTTP+SSE of 2024.',
  open: 'Choose',
  openOf: (name: string) => `Choose ${name}`,
  close: 'Close',
  closeOf: (name: string) => `Close ${name}`,
  which: 'Address',
  ownDomain: (name: string) => `Published as ${name}, a name of the same domain.`,
  otherDomain: (name: string, place: string) =>
    `Published as ${name}. Nothing shows that whoever did so runs ${place}.`,
  wantsKey: (header: string, what: string | undefined) =>
    `It wants a key in the header ${header}${what === undefined ? '' : ` (“${what}”)`}. You give it after the check.`,
  wantsHeaders: (names: readonly string[]) =>
    `It wants the headers ${names.join(', ')}. Postern sends one of its own choice, so it may refuse.`,
  secretInAddress: 'It wants a secret in its address. Postern keeps addresses readable, not in the vault.',
  check: 'Check',
  checkHint: 'The check asks the server how to sign in. It opens and sends nothing else.',
  setting: 'Search',
  address: 'Address',
  addressHint: 'The official one, or a copy of it, such as one of your company.',
  official: 'Use the official one',
  refused: {
    'no-address': 'This is no web address. It looks like https://registry.example.com.',
    'not-encrypted': 'What you type would cross the network unencrypted. Use https, or a registry on this computer.',
    'with-password': 'Leave out the user name and the password: Postern signs in to no registry.',
    'with-query': 'Leave out what follows the ? or the #.',
  } satisfies Record<RegistryRefusal, string>,
};
