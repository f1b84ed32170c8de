import type { VerdictView } from '../../connection-view.ts';
import type { IpcOutput } from '../../ipc-contract.ts';
import type { RemoteOf } from '../../local-command.ts';
import type { ImportNote } from '../../pasted/read-pasted.ts';
import { discoveryStepWords } from '../../status-words.ts';

/** Access for which nobody signs in at the server's service. */
export const withoutPersonWords = {
  title: 'Without a sign-in page',
  text: 'Some services give access to a program, or to whoever is signed in at your company already.',
  label: 'Who gets the access',
  choices: {
    program: 'The program itself (client credentials)',
    programHint: 'With the ID of an app of yours, and its secret or key. Its access is the app’s, not yours.',
    provider: (name: string) => `You, by ${name}`,
    providerHint: 'Your company’s identity provider tells the service who you are. Your company has the app for it.',
    file: 'Whoever a file says (JWT assertion)',
    fileHint:
      'A cluster or cloud keeps a signed JWT in it and renews it. Postern reads it each time, and copies it nowhere.',
  },
  providers:
    'Your company’s identity provider can be chosen here once it is connected: check its address as you would a server’s, then say that it is your identity provider.',
  file: {
    choose: 'Choose a file…',
    chooseOther: 'Choose another file…',
    needed: 'Choose the file first.',
  },
};

export const connectWords = {
  title: 'Connect a server',
  firstTitle: 'What do you want to connect?',
  intro: 'You sign in once. After that, the AI programs on this computer can use it. Nothing opens until you say so.',
  address: 'Server address or name',
  placeholder: 'Name, address, command or configuration',
  willCheck: (url: string) => `Checks ${url}`,
  given: {
    another: 'Add a second account',
    several: 'Which address do you want to connect?',
    local: (program: string) => `“${program}” is a program for this computer, not an address.`,
    localMore: 'It was not run, and is not before you have seen what it does here.',
    localLook: 'Look at the command',
    unknownName: (name: string) => `Postern knows no service called “${name}”, and it is not an address.`,
    unknownNameMore: 'Paste the address of its MCP server. You find it in the documentation of the service.',
    text: 'There is no address in this text.',
    textMore: 'Paste the address of an MCP server. It often ends in /mcp.',
  },
  look: 'Continue',
  lookAgain: 'Check again',
  local: 'This server runs on my computer or internal network',
  localHint: 'Allows addresses that are not on the public internet, for this server only.',
  dropHere: 'Drop the link or the mcp.json here',
  demoName: 'Practice server',
  here: {
    title: 'Already on this computer',
    demo: 'A few notes to read and write. Try everything without an account.',
    tryDemo: 'Try it',
    firstTry: 'No server at hand?',
    firstTryText: (does: string) => `${does}, without an account. See how a tool answers.`,
    programs: (names: readonly string[]) => {
      const [first = '', second = '', third] = names;
      if (names.length < 3) return names.join(' and ');
      return names.length === 3
        ? `${first}, ${second} and ${third}`
        : `${first}, ${second} and ${names.length - 2} more`;
    },
    programsText: 'Bring over the servers they already use. Postern reads and changes nothing before you say so.',
  },
  steps: discoveryStepWords,
  stepsLabel: 'What Postern asked',
  opensNothing: 'Only questions so far. Nothing has been opened, and nothing of yours was sent.',
  verdict: {
    noSignIn: 'No sign-in needed.',
    registersItself: 'Ready to connect. You only sign in.',
    publishedClient: 'Ready to connect. You only sign in.',
    needsApp: 'First create an app at the service, then sign in with it.',
    couldNotTell: 'The server wants a sign-in, but does not say how.',
    usesKey: 'Ready. Uses the key that came with it.',
  } satisfies Record<VerdictView['kind'], string>,
  known: (name: string) => `Already connected as ${name}.`,
  knownText: 'Open it, or continue to add a second account.',
  openKnown: 'Open it',
  namedService: (host: string) => `The server names ${host} as its sign-in service, which does not say how to sign in.`,
  namedServiceDown: (host: string) =>
    `The server names ${host} as its sign-in service, which is out of order right now.`,
  verdictMore: {
    noSignIn: (tools: number | undefined) =>
      tools === undefined
        ? 'The server answered without asking who you are.'
        : `The server answered without asking who you are, and lists ${tools} ${tools === 1 ? 'tool' : 'tools'}.`,
    registersItself: (host: string) => `${host} lets programs register by themselves, so there is nothing to prepare.`,
    publishedClient: (host: string) =>
      `${host} knows Postern by a document that Postern publishes, so there is nothing to prepare.`,
    needsApp: (host: string) =>
      `${host} gives your app a client ID. Next, Postern shows what to enter there and where the ID goes.`,
    usesKey: 'Postern tries it when you add the server, and keeps it sealed.',
    couldNotTell: 'You can still try one of these. Whoever runs the server knows which is right.',
    namedService: 'You can still try one of these. Whoever runs the server can tell you more.',
    namedServiceDown: 'Check again later. If it stays so, tell the owner of the server.',
  },
  start: {
    noSignIn: 'Add',
    registersItself: 'Add and sign in',
    publishedClient: 'Add and sign in',
    needsApp: 'Enter app credentials',
    couldNotTell: 'Continue',
    usesKey: 'Add',
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
    ask: ['Postern asks', 'It finds out how to sign in, and shows you before anything opens.'],
    signIn: ['You sign in', 'On the page of the service itself. Postern never asks for your password.'],
    keep: [
      'It stays connected',
      'Your sign-in is kept encrypted on this computer, and renews by itself where the service allows it.',
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
    pkceYes: 'Protected against interception',
    pkceUnlisted: 'Protected against interception, if the service checks it. It does not say so.',
    pkceNo: 'Not protected against interception, unless the service asks for it. It does not say that it can.',
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
  withoutPerson: withoutPersonWords,
  otherWays: 'Other ways',
  wayRound: {
    scopes: 'Ask for other permissions',
    ownApp: 'Use my own app',
    key: 'Use an API key instead',
    withoutPerson: 'Without a sign-in page',
    provider: 'It is our identity provider',
    addresses: 'Enter the addresses myself',
  },
  scopesHint: 'Separated by spaces. The owner of the service can tell you which it grants.',
  scopesButton: 'Sign in with these',
  importTitle: (count: number) => `${count} ${count === 1 ? 'server' : 'servers'} in this list`,
  importText: 'Each is checked like an address that you paste. A command runs only once you have seen and allowed it.',
  importMore: (count: number) =>
    `${count} more ${count === 1 ? 'is' : 'are'} not shown. The command line takes all of them: postern import FILE`,
  importUnread: (name: string, member: string | undefined) =>
    member === undefined ? `“${name}” could not be read.` : `“${name}” could not be read: its “${member}”.`,
  importLocal: (count: number) =>
    count === 1 ? 'One of these servers runs on my computer' : `${count} of these servers run on my computer`,
  importLocalHint: 'Allows addresses on this computer, for these servers only.',
  importConnect: 'Connect',
  importOpen: 'Open',
  importAll: (count: number) => `Connect ${count} ${count === 1 ? 'server' : 'servers'}`,
  importAllProgress: 'Servers connected or checked',
  importAllDone: (done: number, total: number) => `${done} of ${total} done`,
  importAllCameTo: ({
    connected,
    waiting,
    failed,
    left,
  }: Record<'connected' | 'waiting' | 'failed' | 'left', number>) =>
    [
      ...(connected > 0 ? [`${connected} connected.`] : []),
      ...(waiting > 0
        ? [`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you: open ${waiting === 1 ? 'it' : 'each'} to go on.`]
        : []),
      ...(failed > 0 ? [`${failed} could not be connected.`] : []),
      ...(left > 0 ? [`${left} not tried.`] : []),
    ].join(' '),
  importConnected: (name: string) => `Connected as ${name}`,
  importBack: 'Back to the list',
  importNotes: {
    'unwrapped-mcp-remote': 'taken out of mcp-remote',
    'header-to-fill-in': 'you have to fill in its key',
    'url-to-fill-in': 'you have to fill in its address',
    'local-command': '',
    'command-to-fill-in': 'you have to fill in part of it',
    'command-empty': 'its command is empty',
    'command-unusable': 'its command is longer than Postern takes, or has what no program can be given',
    'switched-off': 'it is switched off there',
    'in-sandbox': 'the app runs it in a sandbox, Postern does not',
    'members-unread': 'Postern cannot carry over all of it, and leaves the entry as it is',
    'header-unusable': 'headers that HTTP reserves or cannot send were left out',
  } satisfies Record<ImportNote, string>,
  importHeaders: (names: readonly string[]) => `comes with a key (${names.join(', ')})`,
  working: {
    registering: (host: string) => `Registering Postern at ${host}`,
    exchanging: 'Finishing the sign-in',
    ticketIssued: 'Storing your sign-in',
    integrated: 'Connected',
  },
  credentialsWait: (host: string) => `${host} needs a client ID from you.`,
  pageLeft:
    'If the sign-in page is still open in your browser, close it: this sign-in can no longer be finished there.',
  callbackRefused: 'If the page refused the redirect or callback URL, register this one for your app there:',
  discard: 'Discard',
  stop: 'Stop',
  startOver: 'Start over',
};

export const endpointWords = {
  authorization: 'Authorization endpoint',
  token: 'Token endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Only where the service publishes none, or the wrong ones. Both or neither.',
  mistakes: {
    missing: 'This one is needed as well.',
    incomplete: 'This is not a whole address. It begins with https://.',
  },
};

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

/** In the others it waits for the person, which its page says above. */
type State = Exclude<IpcOutput<'local:status'>['state'], 'failed' | 'stopped'>;

const states: Readonly<Record<State, string>> = {
  off: 'Not running. It starts when something uses it.',
  starting: 'Starting',
  running: 'Running',
  waiting: 'It has ended, and starts again in a moment.',
};

export const localWords = {
  open: 'Local command…',
  title: 'A server that runs on this computer',
  intro: 'For a server that is a command, such as “npx …” or “docker run …”. Nothing runs before you have seen what.',
  name: 'Name',
  command: 'Command',
  commandHint: 'As its documentation has it. It runs without a shell: no pipes, no $VARIABLES.',
  folder: 'Folder',
  folderHint: 'Where it runs. Empty: your home folder.',
  variables: 'Variables',
  variablesHint: 'It gets the usual ones and these, and nothing else. Values are sealed in the vault.',
  variableName: 'Name of the variable',
  variableValue: 'Value',
  variableKept: 'as in the list',
  addVariable: 'Add a variable',
  removeVariable: (name: string) => (name === '' ? 'Remove the variable' : `Remove ${name}`),
  look: 'Look at what will run',
  back: 'Change it',
  close: 'Close',
  consentTitle: (name: string) => `“${name}” will run this`,
  runs: 'Runs',
  typedAs: 'Typed as',
  words: 'Arguments',
  noWords: 'none',
  usualVariables: 'the usual ones',
  withVariables: (names: string) => `the usual ones, ${names}`,
  homeFolder: 'your home folder',
  from: 'Comes from',
  deciding: 'These variables can decide which code runs',
  givenValues: 'It gets these values from the list',
  sealed: '“…” stands for a secret. Postern keeps it sealed, and shows it nowhere.',
  asYou: 'It runs as you, without a shell, and can do on this computer what you can. Allow only what you trust.',
  fetches: (command: string) => `“${command}” fetches code and runs it: it may be other code each time.`,
  remoteTitle: ({ name, isBridged }: RemoteOf) =>
    isBridged ? `This command only leads to ${name}` : `${name} has a server of its own`,
  remoteText: 'That needs no program on this computer, and Postern keeps its sign-in.',
  useRemote: 'Connect that instead',
  startsHere: (command: string) => `Starts “${command}” on this computer. Nothing of it has run.`,
  hasRemote: ({ name, isBridged }: RemoteOf) =>
    isBridged
      ? `It only leads to ${name}, which Postern reaches without it.`
      : `${name} has a server of its own, which needs no program on this computer.`,
  connectRemote: (name: string) => `Connect ${name}`,
  lookAt: 'Look at the command',
  allow: 'Allow and start',
  starting: 'Starting it, and asking for its tools',
  stopWaiting: 'Stop',
  states,
  process: (pid: number, since: string) => `${pid}, since ${since}`,
  processList: 'Processes',
  stop: 'Stop',
  output: 'Output',
  noOutput: 'It has written nothing yet.',
  outputHint: 'Its standard error and what was no message, since Postern started. It is kept in memory alone.',
  share: 'One process for all programs',
  shareHint:
    'They share its tools, and what it remembers between calls. Otherwise each session has a process of its own. It holds for those that start from now on.',
  what: 'What runs',
};
