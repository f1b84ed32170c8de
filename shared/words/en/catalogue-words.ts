import type { KnownServer, ServerCategory } from '../../known-servers/known-server.ts';
import type { RegistryRefusal } from '../../web-address.ts';

export const catalogueWords = {
  /** What stands in the catalogue of known services. */
  told: (text: string) => text,
  title: 'Services that Postern knows',
  found: (count: number) => `${count} ${count === 1 ? 'service' : 'services'} found`,
  meant: 'Did you mean one of these?',
  filters: 'Kind of service',
  filter: {
    popular: 'Popular',
    work: 'Work',
    code: 'Code',
    cloud: 'Cloud',
    data: 'Data',
    design: 'Design',
    sales: 'Sales',
    money: 'Money',
    docs: 'Docs',
    web: 'Web and AI',
    open: 'No sign-in',
    all: 'All',
  } satisfies Record<ServerCategory | 'popular' | 'open' | 'all', string>,
  /** Empty: what it does. */
  tile: {
    none: '',
    registers: '',
    unknown: '',
    app: 'Needs an app of yours',
    key: 'Needs an API key',
  } satisfies Record<KnownServer['signIn'], string>,
  signIn: {
    none: 'No sign-in needed.',
    registers: 'You only sign in. There is nothing to prepare.',
    app: 'You create an app there once, and then sign in. The steps are below.',
    appOnly: 'You create an app there once, and then sign in. Its documentation says how.',
    appOrKey: 'You create an app there once and sign in, or you use an API key.',
    key: 'You use an API key that you make there.',
    unknown: 'Postern finds out how to sign in.',
  },
  guess: 'Postern asks the server next, and shows what it says. Nothing opens until you say so.',
  keyToo: 'It takes an API key, too.',
  admits: {
    'listed-programs': (name: string) =>
      `${name} lets in only programs on its own list, and Postern is not on it. It will probably refuse.`,
    'listed-callbacks': (name: string) =>
      `${name} accepts only callback addresses on its own list. It may refuse the sign-in.`,
  },
  moved: (name: string) => `${name} has moved from that address. This is its new one.`,
  address: 'Server',
  usual: 'Standard',
  check: 'Continue',
  back: 'All services',
  openHome: (name: string) => `About ${name}’s server`,
  openApp: (name: string) => `Open ${name}’s page for apps`,
  openKey: (name: string) => `Open ${name}’s page for keys`,
  recipe: (name: string) => `Create your app at ${name}`,
  recipeLater: 'Continue first: Postern then gives you the callback URL to copy, and a button that opens the page.',
  scopes: 'Permissions to allow there',
  keyScheme: (scheme: string) => `Postern puts “${scheme}” in front of it.`,
  endpointsTitle: (name: string) => `Postern knows where to sign in to ${name}`,
  endpointsText: (page: string, token: string) =>
    page === token
      ? `The sign-in page is at ${page}, and so is the address that gives the access.`
      : `The sign-in page is at ${page}; ${token} gives the access.`,
  endpointsButton: 'Sign in there',
};

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
