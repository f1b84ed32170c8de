import type { KnownServer } from '../../known-servers/known-server.ts';
import type { RegistryRefusal } from '../../web-address.ts';

export const catalogWords = {
  /** Translates a text of the catalog of known services. */
  translate: (text: string) => text,
  title: 'Services that Postern knows',
  found: (count: number) => `${count} ${count === 1 ? 'service' : 'services'} found`,
  didYouMean: 'Did you mean one of these?',
  filters: 'Services to show',
  popular: 'Popular',
  all: 'All',
  more: (count: number) => `${count} more`,
  moreText: 'Or search above',
  /** Empty: the tile shows what the service does. */
  tile: {
    none: '',
    registers: '',
    unknown: '',
    oauthApp: 'Needs an OAuth app',
    key: 'Needs an API key',
  } satisfies Record<KnownServer['signIn'], string>,
  signIn: {
    none: 'No sign-in needed.',
    registers: 'You just sign in. No setup needed.',
    oauthApp: 'You create an OAuth app there once, then sign in. The steps are below.',
    oauthAppOnly: 'You create an OAuth app there once, then sign in. Its documentation explains how.',
    oauthAppOrKey: 'You create an OAuth app there once and sign in, or you use an API key.',
    key: 'You use an API key that you create there.',
    unknown: 'Postern finds out how to sign in.',
  },
  checkFirst: 'Postern checks how the server handles sign-in and shows you the result first.',
  keyToo: 'You can also use an API key.',
  accepts: {
    'listed-apps': (name: string) =>
      `${name} accepts only apps on its own list, and Postern is not on it. It will probably refuse.`,
    'listed-callbacks': (name: string) =>
      `${name} accepts only callback addresses on its own list. It may refuse the sign-in.`,
  },
  moved: (name: string) => `${name} has moved. This is its new address.`,
  address: 'Server',
  defaultServer: 'Default',
  check: 'Continue',
  back: 'All services',
  openHome: (name: string) => `About ${name}’s server`,
  openOAuthApp: (name: string) => `Open OAuth apps at ${name}`,
  openKey: (name: string) => `Open API keys at ${name}`,
  recipe: (name: string) => `Create your OAuth app at ${name}`,
  recipeLater: 'Choose Continue first. Postern then shows the callback URL to copy and a button that opens the page.',
  scopes: 'Permissions to allow there',
  keyScheme: (scheme: string) => `Postern adds “${scheme}” in front.`,
  endpointsTitle: (name: string) => `Postern knows where to sign in to ${name}`,
  endpointsText: (page: string, token: string) =>
    page === token
      ? `The sign-in page and the token endpoint are at ${page}.`
      : `The sign-in page is at ${page}, the token endpoint at ${token}.`,
  endpointsButton: 'Sign in there',
};

/** The MCP registry, where anyone can publish servers. */
export const registryWords = {
  title: 'MCP registry',
  choose: 'Search the MCP registry too',
  sends: (place: string) =>
    `Postern does not verify what is published there. What you type goes to ${place} only when you choose Search.`,
  search: (name: string, place: string) => `Search ${place} for “${name}”`,
  searching: (place: string) => `Searching ${place}`,
  stop: 'Cancel',
  nothing: (place: string) => `${place} has no server with that name that Postern can use. Try another word.`,
  found: (count: number, place: string, time: string) =>
    `${count} ${count === 1 ? 'server' : 'servers'} at ${place}, as of ${time}.`,
  leftOut: (count: number) => `${count} more ${count === 1 ? 'has' : 'have'} no web address that Postern can use.`,
  partial: 'There are more results. Type more of the name.',
  unverified: 'Not verified',
  known: 'Postern knows this server.',
  notThe: (name: string, place: string) => `This is not the ${name} that Postern knows, which is at ${place}.`,
  old: 'It supports only the old transport (HTTP+SSE, 2024).',
  open: 'Choose',
  openOf: (name: string) => `Choose ${name}`,
  close: 'Close',
  closeOf: (name: string) => `Close ${name}`,
  which: 'Address',
  ownDomain: (name: string) => `Published as ${name}, a name of the same domain.`,
  otherDomain: (name: string, place: string) => `Published as ${name}. Nothing shows that the publisher runs ${place}.`,
  needsKey: (header: string, what: string | undefined) =>
    `It needs a key in the header ${header}${what === undefined ? '' : ` (“${what}”)`}. You enter it after the check.`,
  wantsHeaders: (names: readonly string[]) =>
    `It asks for the headers ${names.join(', ')}. Postern can send only one, so it may refuse.`,
  secretInAddress: 'It expects a secret in its address. Postern stores addresses in plain text, not in the vault.',
  check: 'Check',
  checkHint: 'The check only asks the server how to sign in.',
  setting: 'Search',
  address: 'Address',
  addressHint: 'The official registry, or a copy such as your company’s.',
  official: 'Use the official registry',
  refused: {
    'no-address': 'This is not a web address. It should look like https://registry.example.com.',
    'not-encrypted': 'Your searches would be sent unencrypted. Use https, or a registry on this computer.',
    'with-password': 'Remove the user name and password. Postern does not sign in to registries.',
    'with-query': 'Remove everything after the ? or #.',
  } satisfies Record<RegistryRefusal, string>,
};
