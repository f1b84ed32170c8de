import type { VerdictView } from '../../connection-view.ts';
import type { IpcOutput } from '../../ipc-contract.ts';
import type { RemoteAlternative } from '../../local-command.ts';
import type { ImportNote } from '../../pasted/read-pasted.ts';
import { discoveryStepWords } from '../../status-words.ts';

/** Sign-in without a sign-in page. */
export const nonInteractiveWords = {
  title: 'Without a sign-in page',
  text: 'Some services sign in the OAuth app itself, or anyone who is already signed in at your company.',
  label: 'Who is signed in',
  choices: {
    app: 'The OAuth app itself (client credentials)',
    appHint: 'You enter the ID and the secret or key of an OAuth app. Calls run as that app, not as you.',
    provider: (name: string) => `You, through ${name}`,
    providerHint:
      'Your company’s identity provider tells the service who you are. Your company provides the OAuth app.',
    file: 'The identity in a file (JWT assertion)',
    fileHint:
      'A cluster or cloud writes a signed JWT to it and renews it. Postern reads the file each time and never copies it.',
  },
  providers:
    'To choose your company’s identity provider here, connect it first. Check its address like a server’s, then choose “Use as our identity provider”.',
  file: {
    choose: 'Choose a file…',
    chooseOther: 'Choose another file…',
    needed: 'Choose a file first.',
  },
};

function listApps(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  const [first = '', second = '', third = ''] = names;
  return `${first}, ${second} and ${names.length === 3 ? third : `${names.length - 2} more`}`;
}

export const connectWords = {
  title: 'Connect a server',
  firstTitle: (apps: readonly string[]) =>
    apps.length === 1 || apps.length === 2 ? `Give ${apps.join(' and ')} your tools` : 'Give your AI apps your tools',
  firstIntro:
    'Sign in once here. Then every AI app on this computer can use it. None of them sees your password or a token.',
  intro: 'You sign in once. Then every AI app on this computer can use it.',
  address: 'Server address or name',
  placeholder: 'Notion, GitHub, an address, or paste anything',
  willCheck: (url: string) => `Checks ${url}`,
  willOpen: (name: string) => `Enter opens ${name}`,
  inputNotes: {
    another: 'Add a second account',
    services: (name: string) => `Which service do you mean by “${name}”?`,
    several: 'Which address do you want to connect?',
    local: (app: string) => `“${app}” is a command for this computer, not an address.`,
    localMore: 'It has not run yet. Review it before you allow it.',
    reviewCommand: 'Review command',
    unknownName: (name: string) => `Postern knows no service called “${name}”, and it is not an address.`,
    unknownNameMore: 'Paste the address of its MCP server from the service’s documentation.',
    text: 'This text contains no address.',
    textMore: 'Paste the address of an MCP server. It often ends in /mcp.',
  },
  continue: 'Connect',
  checkAgain: 'Check again',
  local: 'This server runs on my computer or internal network',
  localHint: 'Allows addresses outside the public internet, for this server only.',
  dropHere: 'Drop a link or an mcp.json here',
  demoName: 'Demo server',
  quickStart: {
    title: 'Already on this computer',
    demoTitle: 'Just looking?',
    demo: 'A few notes to read and write. Try everything without an account.',
    tryDemo: 'Try the demo',
    firstTry: 'Just want to try it?',
    firstTryText: (does: string) => `${does}. No account needed.`,
    servers: (count: number, names: readonly string[]) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'server' : 'servers'} in ${listApps(names)}`,
    serversText: 'Sign in once here, and all your AI apps can use them. You review each change first.',
    bring: (count: number) => (count === 1 ? 'Bring it here' : 'Bring them here'),
  },
  steps: discoveryStepWords,
  stepsLabel: 'What Postern checked',
  nothingSent: 'So far, Postern has only asked how to sign in. It has sent none of your data.',
  verdict: {
    noSignIn: 'No sign-in needed.',
    registersItself: 'Postern never sees your password.',
    publishedClient: 'Postern never sees your password.',
    needsOAuthApp: 'Create an OAuth app at the service first, then sign in with it.',
    couldNotTell: 'The server requires a sign-in but does not say how.',
    usesKey: 'Ready to connect. It uses the key that came with it.',
  } satisfies Record<VerdictView['kind'], string>,
  card: {
    title: (name: string) => `Connect ${name}`,
    again: (name: string) => `Sign in to ${name} again`,
    /** Around the host. */
    signInAt: ['You sign in at', '.'],
    more: (count: number) => `And ${count} more, listed in Details.`,
    check: 'Check this first',
    onThisComputer: 'It runs on this computer.',
    details: 'Details',
  } as const,
  known: (name: string) => `Already connected as ${name}.`,
  knownText: 'Open it, or continue to add a second account.',
  openKnown: 'Open server',
  namedService: (host: string) =>
    `The server names ${host} as its sign-in service. That service does not say how to sign in.`,
  namedServiceDown: (host: string) => `The server names ${host} as its sign-in service, which is having problems.`,
  verdictMore: {
    noSignIn: (tools: number | undefined) =>
      tools === undefined
        ? 'The server did not ask who you are.'
        : `The server did not ask who you are. It lists ${tools} ${tools === 1 ? 'tool' : 'tools'}.`,
    registersItself: (host: string) => `Postern registers itself at ${host}. There is nothing to set up.`,
    publishedClient: (host: string) =>
      `${host} identifies Postern by a document that Postern publishes. There is nothing to set up.`,
    needsOAuthApp: (host: string) =>
      `${host} gives your OAuth app a client ID. Postern shows you what to enter there and where the ID goes.`,
    usesKey: 'Postern tests the key when you add the server, and stores it encrypted.',
    couldNotTell: 'Try one of these. The server’s owner knows which is right.',
    namedService: 'Try one of these, or ask the server’s owner.',
    namedServiceDown: 'Check again later. If it keeps happening, contact the server’s owner.',
  },
  start: {
    noSignIn: () => 'Add',
    registersItself: (name: string) => `Sign in to ${name}`,
    publishedClient: (name: string) => `Sign in to ${name}`,
    needsOAuthApp: () => 'Set up the OAuth app',
    usesKey: () => 'Add',
  } satisfies Record<Exclude<VerdictView['kind'], 'couldNotTell'>, (name: string) => string>,
  after: {
    popup: (host: string) => `Opens a sign-in window at ${host}.`,
    browser: (host: string) => `Opens ${host} in your browser.`,
    needsOAuthApp: 'Two steps, shown here.',
    noSignIn: 'Adds the server to your list.',
  },
  name: 'Name',
  ownName: 'The server’s own name',
  options: 'Options',
  another: 'Use another sign-in service',
  anotherHint: 'The server names several.',
  howTitle: 'How it works',
  how: {
    ask: ['Postern checks', 'It finds out how to sign in and shows you first.'],
    signIn: ['You sign in', 'On the service’s own page. Postern never asks for your password.'],
    keep: [
      'It stays connected',
      'Your sign-in is stored encrypted on this computer and renews automatically where the service allows it.',
    ],
    keepInMemory: ['It stays connected', 'Until you quit Postern, because there is no keychain to store your sign-in.'],
  } as const,
  route: {
    label: (server: string, service: string | undefined) =>
      service === undefined
        ? `This computer connects to ${server}.`
        : `This computer connects to ${server}. You sign in at ${service}.`,
    computer: 'This computer',
    server: 'MCP server',
    service: 'Sign-in service',
    same: 'server and sign-in service',
    encrypted: 'encrypted',
    plain: 'not encrypted',
  },
  trust: {
    label: 'Before you sign in',
    scopes: 'Permissions',
    scopesNone: 'None requested. The service decides.',
    pkce: 'Interception protection (PKCE)',
    pkceYes: 'Safe from interception',
    pkceUnlisted: 'Safe from interception if the service checks PKCE, which it does not confirm',
    pkceNo: 'Not safe from interception: the service does not say that it supports this protection',
    encryption: 'Connection',
    encryptedYes: 'Encrypted',
    encryptedLocal: 'Stays on this computer',
    encryptedNo: 'Not encrypted: others on your network could read it',
    service: 'Sign-in service',
    exception: (named: string, issuer: string) =>
      `The server names ${named}, which identifies itself as ${issuer}. Both are under one domain but may have different owners. Check that you expected both.`,
    owner: 'Owner',
    differentOwner: (service: string, server: string) =>
      `You sign in at ${service}, and ${server} receives the sign-in. They may have different owners, which is normal when a company handles sign-in for others. Check that you expected it.`,
    notes: 'Compatibility',
  },
  legacyTitle: 'An older server?',
  legacyText: 'Servers built before mid-2025 may use standard sign-in addresses without publishing them.',
  legacyButton: 'Try the standard addresses',
  endpointsTitle: 'Do you know the addresses?',
  endpointsText: 'The service’s documentation may list its authorization endpoint and token endpoint.',
  endpointsButton: 'Use these addresses',
  keyTitle: 'An API key?',
  keyText:
    'Some servers use a key instead of a sign-in. Postern stores it like a password and sends it only to this server.',
  keyName: 'Header',
  keyValue: 'Key',
  keyValueHint: 'Exactly as the service shows it, including “Bearer …” if it says so.',
  keyStart: 'Add with this key',
  nonInteractive: nonInteractiveWords,
  otherOptions: 'Another way',
  alternatives: {
    scopes: 'Request other permissions',
    ownOAuthApp: 'Use my own OAuth app',
    key: 'Use an API key instead',
    nonInteractive: 'Connect without a sign-in page',
    provider: 'Use as our identity provider',
    addresses: 'Enter the addresses myself',
  },
  scopesHint: 'Separated by spaces. The service’s owner can tell you which ones it grants.',
  scopesButton: 'Sign in with these',
  importTitle: (count: number) => (count > 1 ? `${count} servers in this list` : 'What you pasted'),
  importText:
    'Postern checks each one like an address you paste. A command runs only after you have reviewed and allowed it.',
  importMore: (count: number) =>
    `${count} more ${count === 1 ? 'is' : 'are'} not shown. To import all of them, run: postern import FILE`,
  unreadableEntry: (name: string, member: string | undefined) =>
    member === undefined ? `Postern could not read “${name}”.` : `Postern could not read “${member}” of “${name}”.`,
  importLocal: (count: number) =>
    count === 1 ? 'One of these servers runs on my computer' : `${count} of these servers run on my computer`,
  importLocalHint: 'Allows addresses on this computer, for these servers only.',
  importConnect: 'Connect',
  importOpen: 'Open',
  importAll: (count: number) => `Connect ${count} ${count === 1 ? 'server' : 'servers'}`,
  importAllProgress: 'Servers checked',
  importAllDone: (done: number, total: number) => `${done} of ${total} done`,
  importAllSummary: ({
    connected,
    waiting,
    failed,
    left,
  }: Record<'connected' | 'waiting' | 'failed' | 'left', number>) =>
    [
      ...(connected > 0 ? [`${connected} connected.`] : []),
      ...(waiting > 0
        ? [`${waiting} ${waiting === 1 ? 'needs' : 'need'} you. Open ${waiting === 1 ? 'it' : 'each'} to continue.`]
        : []),
      ...(failed > 0 ? [`${failed} could not be connected.`] : []),
      ...(left > 0 ? [`${left} not tried.`] : []),
    ].join(' '),
  importConnected: (name: string) => `Connected as ${name}`,
  importBack: 'Back to the list',
  importNotes: {
    'unwrapped-mcp-remote': 'Postern connects directly, without mcp-remote',
    'header-to-fill-in': 'you need to enter its key',
    'url-to-fill-in': 'you need to complete its address',
    'local-command': '',
    'command-to-fill-in': 'you need to complete its command',
    'command-empty': 'its command is empty',
    'command-unusable': 'its command is too long or contains characters that can’t be passed',
    'switched-off': 'it is switched off in the app',
    'in-sandbox': 'the app runs it in a sandbox; Postern does not',
    'members-unsupported': 'Postern can’t import all of it, so the app’s entry stays as it is',
    'header-unusable': 'headers that HTTP reserves or can’t send are left out',
  } satisfies Record<ImportNote, string>,
  importHeaders: (names: readonly string[]) => `comes with a key (${names.join(', ')})`,
  working: {
    registering: (host: string) => `Registering Postern at ${host}`,
    exchanging: 'Finishing the sign-in',
    ticketIssued: 'Saving your sign-in',
    integrated: 'Connected',
  },
  credentialsWait: (host: string) => `${host} needs a client ID from you.`,
  pageLeft: 'If the sign-in page is still open in your browser, close it. You can’t finish this sign-in there.',
  callbackRefused: 'If the page rejected the redirect or callback URL, register this one for your OAuth app there:',
  discard: 'Discard',
  stop: 'Stop',
  startOver: 'Start over',
};

export const endpointWords = {
  authorization: 'Authorization endpoint',
  token: 'Token endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Only if the service publishes none, or the wrong ones. Enter both or neither.',
  mistakes: {
    missing: 'Enter this address too.',
    incomplete: 'This is not a complete address. It must start with https://.',
  },
};

/** A sign-in whose hosts have several owners. */
export const hostsWords = {
  title: 'This sign-in uses hosts that may have different owners',
  text: 'Some services work this way, but so does phishing. Continue only if you expected these hosts.',
  page: 'Sign-in page',
  token: 'Receives the sign-in',
  service: 'Sign-in service',
  agree: (hosts: readonly string[]) => `This server may use ${hosts.join(' and ')}`,
  proceed: 'Continue',
  stop: 'Cancel',
};

/** The other states wait for the user, which the page shows above. */
type State = Exclude<IpcOutput<'local:status'>['state'], 'failed' | 'stopped'>;

const states: Readonly<Record<State, string>> = {
  off: 'Not running. It starts when an app uses it.',
  starting: 'Starting',
  running: 'Running',
  waiting: 'It stopped and will restart in a moment.',
};

export const localWords = {
  open: 'Local command…',
  title: 'A server that runs on this computer',
  intro: 'For a server that you start with a command such as “npx …” or “docker run …”. You review it before it runs.',
  name: 'Name',
  command: 'Command',
  commandHint: 'As shown in its documentation. It runs without a shell: no pipes, no $VARIABLES.',
  folder: 'Folder',
  folderHint: 'The working directory. Leave empty for your home folder.',
  variables: 'Variables',
  variablesHint: 'It gets the usual variables and these, nothing else. Postern encrypts the values.',
  variableName: 'Variable name',
  variableValue: 'Value',
  variableStored: 'from the list',
  addVariable: 'Add a variable',
  removeVariable: (name: string) => (name === '' ? 'Remove the variable' : `Remove ${name}`),
  review: 'Review command',
  back: 'Edit',
  close: 'Close',
  consentTitle: (name: string) => `“${name}” will run this`,
  runs: 'Runs',
  enteredAs: 'Entered as',
  words: 'Arguments',
  noWords: 'none',
  usualVariables: 'the usual ones',
  withVariables: (names: string) => `the usual ones, ${names}`,
  homeFolder: 'your home folder',
  from: 'Comes from',
  deciding: 'These variables can change which code runs',
  givenValues: 'Values from the list',
  hiddenSecret: '“…” stands for a secret. Postern stores it encrypted and never shows it.',
  asYou: 'It runs as you, without a shell, and can do anything you can on this computer. Allow only what you trust.',
  fetches: (command: string) => `“${command}” downloads code and runs it. The code may differ each time.`,
  remoteTitle: ({ name, isBridged }: RemoteAlternative) =>
    isBridged ? `This command only connects to ${name}` : `${name} has its own remote server`,
  remoteText: 'Postern can connect to it directly, with nothing to run on this computer.',
  useRemote: 'Connect that server instead',
  startsHere: (command: string) => `Starts “${command}” on this computer. It has not run yet.`,
  hasRemote: ({ name, isBridged }: RemoteAlternative) =>
    isBridged
      ? `It only connects to ${name}, which Postern can reach directly.`
      : `${name} has its own remote server, so nothing has to run on this computer.`,
  connectRemote: (name: string) => `Connect ${name}`,
  reviewCommand: 'Review command',
  proceed: 'Continue…',
  awaitsAnswer: 'Answer in the dialog of your system. Nothing has started yet.',
  starting: 'Starting the server and loading its tools',
  stopWaiting: 'Stop',
  states,
  process: (pid: number, since: string) => `${pid}, since ${since}`,
  processList: 'Processes',
  stop: 'Stop',
  output: 'Output',
  noOutput: 'No output yet.',
  outputHint: 'Log output since Postern started. Not saved to disk.',
  share: 'One process for all apps',
  shareHint:
    'Apps share its tools and anything it remembers between calls. Otherwise each session gets its own process. Applies to sessions that start from now on.',
  whatRuns: 'What runs',
};
