import type { KnownServer, ServerCategory } from '../../../shared/known-servers/known-server.ts';

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
