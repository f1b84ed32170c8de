import type { ImportNote } from '../../shared/import-note.ts';
import type { StepView, VerdictView } from '../../shared/connection-view.ts';

type Steps = Readonly<Record<StepView['step'], string>>;

const doing: Steps = {
  probe: 'Asking the server',
  'tools-probe': 'Asking the server for its tools',
  'resource-metadata': 'Reading where to sign in',
  'authorization-server-metadata': 'Reading how to sign in',
  method: 'Deciding how to sign in',
};

const found: Steps = {
  probe: 'The server answers',
  'tools-probe': 'The server answers for its tools',
  'resource-metadata': 'The server says where to sign in',
  'authorization-server-metadata': 'The sign-in service says how to sign in',
  method: 'It is clear how to sign in',
};

const missing: Steps = {
  probe: 'The server answers, and says nothing about signing in',
  'tools-probe': 'The server says nothing about signing in for its tools',
  'resource-metadata': 'Nothing here about where to sign in',
  'authorization-server-metadata': 'Nothing here about how to sign in',
  method: 'No sign-in found',
};

const failed: Steps = {
  probe: 'The server could not be asked',
  'tools-probe': 'The server could not be asked for its tools',
  'resource-metadata': 'What it says about where to sign in cannot be used',
  'authorization-server-metadata': 'What it says about how to sign in cannot be used',
  method: 'No sign-in found',
};

export const connectWords = {
  title: 'Connect a server',
  firstTitle: 'Connect your first server',
  intro: 'Paste the address of an MCP server. Postern finds out how to sign in, and opens nothing until you say so.',
  address: 'Server address',
  placeholder: 'https://example.com/mcp',
  look: 'Check address',
  lookAgain: 'Check again',
  local: 'This server runs on my computer or internal network',
  localHint: 'Allows addresses that are not on the public internet, for this server only.',
  dropHere: 'Drop the link or the mcp.json here',
  demoTitle: 'Nothing at hand? Try the demo server.',
  demoText: 'It runs on this computer, and keeps a few notes that you can read and write after signing in.',
  demoButton: 'Try the demo server',
  fileHint: 'You can also paste or drop a whole mcp.json with several servers.',
  steps: { doing, found, missing, failed },
  stepsLabel: 'What Postern asked',
  opensNothing: 'Only questions so far. Nothing has been opened, and nothing of yours was sent.',
  verdict: {
    noSignIn: 'No sign-in needed.',
    registersItself: 'You sign in; Postern registers itself.',
    publishedClient: 'You sign in; the service looks up who Postern is.',
    needsApp: 'You sign in, with an app that you create at the service first.',
    couldNotTell: 'The server wants a sign-in, but does not say how.',
  } satisfies Record<VerdictView['kind'], string>,
  verdictMore: {
    noSignIn: (tools: number | undefined) =>
      tools === undefined
        ? 'The server answered without asking who you are.'
        : `The server answered without asking who you are, and lists ${tools} ${tools === 1 ? 'tool' : 'tools'}.`,
    registersItself: (host: string) => `${host} lets programs register by themselves, so there is nothing to prepare.`,
    publishedClient: (host: string) => `${host} reads who Postern is from a document that Postern publishes.`,
    needsApp: (host: string) =>
      `${host} wants a client ID. Postern shows you the address to enter there, and asks for the ID next.`,
    couldNotTell: 'There are three ways left. The owner of the server knows which is right.',
  },
  start: {
    noSignIn: 'Add',
    registersItself: 'Add and sign in',
    publishedClient: 'Add and sign in',
    needsApp: 'Enter app credentials',
    couldNotTell: 'Continue',
  } satisfies Record<VerdictView['kind'], string>,
  after: {
    popup: (host: string) => `Opens a sign-in window at ${host}.`,
    browser: (host: string) => `Opens ${host} in your browser.`,
    needsApp: 'Opens a form here first.',
    noSignIn: 'Adds the server to your list.',
  },
  name: 'Name',
  options: 'Options',
  another: 'Sign in elsewhere',
  anotherHint: 'The server names several sign-in services.',
  howTitle: 'What will happen',
  how: {
    ask: ['Postern asks', 'It finds out how the server wants to be signed in to, and shows you what it found.'],
    signIn: ['You sign in', 'On the page of the service itself. Postern never asks for your password.'],
    keep: [
      'It stays connected',
      'The access is kept sealed on this computer, and renewed where the service allows it.',
    ],
    keepInMemory: ['It stays connected', 'Until Postern closes: there is no keychain that could keep it.'],
  } as const,
  route: {
    label: (server: string, service: string | undefined) =>
      service === undefined
        ? `This computer connects to ${server}.`
        : `This computer connects to ${server}; you sign in at ${service}.`,
    computer: 'This computer',
    server: 'MCP server',
    service: 'Sign-in service',
    same: 'server and sign-in service',
    encrypted: 'encrypted',
    plain: 'not encrypted',
  },
  trust: {
    label: 'Before you sign in',
    scopes: 'Asks for',
    scopesNone: 'Nothing in particular; the service decides.',
    pkce: 'Protection of the sign-in',
    pkceYes: 'PKCE: a stolen answer is useless',
    pkceUnlisted: 'PKCE, though the service does not say that it checks it',
    pkceNo: 'The service does not list PKCE; the sign-in goes on without it, unless the service asks for it',
    encryption: 'Connection',
    encryptedYes: 'Encrypted all the way',
    encryptedLocal: 'Stays on this computer',
    encryptedNo: 'Not encrypted: others on the same network could read it',
    service: 'Sign-in service',
    exception: (named: string, issuer: string) =>
      `The server names ${named}, which says that it is ${issuer}. Both are under one domain, but names of one domain may have different owners; check that you expected both.`,
    owner: 'Owner',
    differentOwner: (service: string, server: string) =>
      `You sign in at ${service}, and ${server} gets the access. They are not known to have one owner, which is normal where one company signs in for many; check that you expected it.`,
    notes: 'Compatibility',
  },
  legacyTitle: 'An older server?',
  legacyText: 'Servers made before mid-2025 sign in at addresses that they need not publish.',
  legacyButton: 'Try the usual addresses',
  endpointsTitle: 'Do you know the addresses?',
  endpointsText: 'The documentation of the service may name its authorization endpoint and its token endpoint.',
  endpointsButton: 'Use these addresses',
  keyTitle: 'An API key?',
  keyText: 'Some servers give you a key instead of a sign-in. It is kept like a password and goes to this server only.',
  keyName: 'Header',
  keyValue: 'Key',
  keyValueHint: 'As the service shows it, e.g. “Bearer …” where it says so.',
  keyStart: 'Add with this key',
  importTitle: (count: number) => `${count} ${count === 1 ? 'server' : 'servers'} in this list`,
  importText: 'Each is checked like an address that you paste. Nothing in the file is run.',
  importConnect: 'Connect',
  importLocal: 'Starts a program on this computer; not supported yet. It was not run.',
  importDone: 'In progress',
  importNotes: {
    'unwrapped-mcp-remote': 'taken out of mcp-remote',
    'header-to-fill-in': 'its key has to be filled in by hand',
    'url-to-fill-in': 'its address has to be filled in by hand',
    'further-headers': 'its further headers are left out',
    'local-command': '',
    'header-unusable': 'its header cannot be sent and is left out',
  } satisfies Record<ImportNote, string>,
  importHeader: (name: string) => `comes with a key (${name})`,
  working: {
    registering: (host: string) => `Registering Postern at ${host}`,
    exchanging: 'Fetching your access',
    ticketIssued: 'Putting the access away',
    integrated: 'Connected',
  },
  credentialsWait: (host: string) => `${host} needs a client ID from you.`,
  discard: 'Discard',
};
