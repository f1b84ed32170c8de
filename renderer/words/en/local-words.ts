import type { RemoteOf } from '../../../shared/remote-of.ts';
import type { IpcOutput } from '../../../shared/ipc-contract.ts';

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
