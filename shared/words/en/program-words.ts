import type { ProgramNote, ProgramPreview, ToolRulesView } from '../../program-view.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Of many the number alone. A program may have several files. */
function together(all: readonly string[]): string {
  const names = [...new Set(all)];
  return names.length > 3 ? `${names.length.toLocaleString('en')} programs` : list.format(names);
}

export const programWords = {
  title: 'Programs',
  intro: 'AI programs on this computer. What you switch on here, they use with your sign-in, which stays in Postern.',
  looking: 'Looking for programs',
  none: 'None of the programs that Postern knows was found here.',
  noneNext: 'Install one and start it once, then look again.',
  lookAgain: 'Look again',
  other: {
    add: 'Another program…',
    title: 'Another program',
    text: 'For a program that is not in the list. Postern shows the lines, and you put them into its configuration.',
    name: 'Name',
    nameHint: 'What you call it. One name is one program.',
    server: 'Server',
    way: 'How it reaches Postern',
    command: 'By a command',
    commandHint: 'What most programs take. It starts Postern where that does not run.',
    address: 'By an address',
    addressHint: 'Over HTTP, with a header. Postern has to run already.',
    look: 'Show the lines…',
    added: (name: string) => `${name} may use the server now.`,
    place: 'Only you know where its configuration is: you put the lines there yourself.',
    accessText: (name: string) =>
      `Takes every server away from ${name} at once, and ${name} off this list. Its lines lead nowhere from then on.`,
    revoked: (name: string) =>
      `${name} may use nothing of Postern any more. Take the lines out of its configuration yourself.`,
  },
  collections: {
    title: 'Collections',
    intro: 'Several servers that a program uses by one entry. You can change them later without touching the program.',
    add: 'New collection…',
    new: 'New collection',
    text: 'Its tools are those of all its servers. A server that needs you to sign in is left out until you do.',
    change: 'Change…',
    state: (members: number, users: readonly string[]) =>
      `${members === 1 ? '1 server' : `${members.toLocaleString('en')} servers`}${users.length > 0 ? ` · used by ${together(users)}` : ''}`,
  },
  gone: 'This program is not here any more.',
  uses: (used: number, all: number) => `uses ${used.toLocaleString('en')} of ${all.toLocaleString('en')}`,
  waiting: 'waiting for you: paste the lines',
  waitingOf: (name: string) => `${name} is waiting for you to paste the lines.`,
  havePasted: 'I’ve pasted it',
  showLines: 'Show the lines…',
  pasted: (name: string) => `${name} can use it now.`,
  notPasted: (path: string) =>
    path === '' ? 'The lines are not there yet.' : `The lines are not in ${path} yet. Save the file and try again.`,
  lastUsed: (distance: string) => `last used ${distance}`,
  notSetUp: 'not set up',
  revoked: 'not allowed any more',
  revokedText: (name: string) => `${name} may use nothing of Postern any more. Switch a server on to allow it again.`,
  file: 'Configuration',
  servers: 'Servers that it may use',
  noServers: 'Connect a server first.',
  connect: 'Connect a server',
  change: 'Last change',
  changed: (names: readonly string[], time: string) => `${names.join(', ')}, ${time}`,
  undo: 'Undo…',
  unreadable: 'file cannot be read',
  paused: 'paused',
  pausing: {
    pause: 'Pause',
    pauseOf: (name: string) => `Pause ${name}`,
    pauseText: (name: string) => `Refuses what ${name} asks of your servers, until you resume it.`,
    isPausedTitle: (name: string) => `${name} is paused`,
    isPausedText: 'What it asks of your servers is refused, and it is told why.',
    resume: 'Resume',
    resumeOf: (name: string) => `Resume ${name}`,
  },
  others: 'Also in its configuration',
  othersText: 'Servers that this program reaches without Postern. Its file is read when you look, not before.',
  lookInside: 'Look inside',
  noOthers: 'Nothing else stands in it.',
  withSecrets: (names: readonly string[]) => `with ${list.format(names)}`,
  isCommand: 'starts a command',
  ofProject: (folder: string) => `for the project ${folder}`,
  isConnected: 'connected in Postern too',
  keyOfConnected: {
    kept: 'its key goes behind the keychain when Postern takes it over',
    existing: 'its key is not taken along, since Postern has a sign-in or key of its own',
  },
  import: 'Import',
  takeOver: 'Take over…',
  previewTakeOver: (entry: string, program: string) => `Let Postern take over ${entry} in ${program}?`,
  access: 'Access',
  accessText: (name: string) =>
    `Takes every server away from ${name} at once. Then you can take its entries out of its file, which lead nowhere.`,
  revoke: 'Revoke access…',
  revokeDone: (name: string) => `${name} may use nothing of Postern any more.`,
  previewOf: (programs: readonly string[], use: boolean, server: string) =>
    use ? `Let ${together(programs)} use ${server}?` : `Take ${server} out of ${together(programs)}?`,
  previewMixed: (programs: readonly string[]) => `Change ${together(programs)}?`,
  previewUndoOf: (programs: readonly string[]) => `Undo the changes of ${together(programs)}?`,
  previewUndo: (program: string) => `Undo the last change of ${program}?`,
  actions: {
    created: 'This file is made:',
    updated: 'This file is changed:',
    deleted: 'This file is deleted, since it holds nothing else:',
    command: 'Its own command is run, which changes this file:',
    paste: 'Postern cannot do this for you. Put these lines into the configuration yourself:',
    none: 'Nothing has to change in this file:',
  } satisfies Record<ProgramPreview['action'], string>,
  /** Where lines go by hand. */
  takeOut: 'Postern cannot do this for you. Take these lines out of the configuration yourself:',
  leaving: (canChange: boolean, server = 'Postern') =>
    canChange ? `Take ${server} out of your programs first?` : 'Some files could not be looked at',
  leavingText: (canChange: boolean) =>
    canChange
      ? 'These entries would lead nowhere afterwards. Nothing is written before you say so.'
      : 'An entry of Postern that stands there would lead nowhere afterwards.',
  leaveThere: (canChange: boolean) => (canChange ? 'Leave them there…' : 'Go on…'),
  takeOutFirst: 'Take them out, then go on…',
  entriesStay: (name: string) =>
    `Entries of Postern may still stand in the configuration of ${name}. They lead nowhere.`,
  takeEntriesOut: 'Take its entries out…',
  previewEntries: (name: string) => `Take the entries of Postern out of ${name}?`,
  noEntries: (name: string) => `No entry of Postern stands in the configuration of ${name}.`,
  goes: 'Lines that go',
  comes: 'Lines that come',
  commands: 'Commands',
  pasteInstead: (fault: string) => `${fault} Fix that and look again, or put these lines there yourself:`,
  pasteThen: 'After Done, the app can use the server as soon as the lines are in its configuration.',
  copyLines: 'Copy the lines',
  hiddenValues: '“…” stands for a value that is not shown here.',
  takesMark: 'The file begins with a byte order mark, with which apps drop the whole list. The mark goes too.',
  keptOut: (name: string, setting: string) =>
    `${name} will not use it: its own setting ${setting} keeps it out. Change it there.`,
  entryKeptOut: (entry: string, setting: string) =>
    `${entry} is not used: the program’s own setting ${setting} keeps it out. Change it there.`,
  rules: (name: string, { entry, only, denied }: ToolRulesView) => {
    const left = only?.filter((tool) => !denied.includes(tool));
    return [
      `${entry}:`,
      ...(left
        ? [left.length === 0 ? `${name} may use none of its tools.` : `${name} may use only ${left.join(', ')}.`]
        : []),
      ...(denied.length > 0 ? [`${name} may not use ${denied.join(', ')}.`] : []),
      'Postern enforces this.',
    ].join(' ');
  },
  endsRules: 'The rules for tools that came with it go too.',
  copyKept: 'A copy of the file is kept, so that you can undo this.',
  secrets: {
    none: 'No secret stands in it.',
    helper: 'No secret stands in it: the program asks a command of Postern for it.',
    header: 'A secret of this program stands in it; it opens nothing but Postern.',
  } satisfies Record<ProgramPreview['secret'], string>,
  /** Of lines that are copied. */
  pastedSecret:
    'The lines that you copy hold a secret of this program, which is not shown here. It opens nothing but Postern; put it nowhere else.',
  profile: 'Profile',
  defaultProfile: 'Default',
  anotherProfile: 'Another profile…',
  secretLost: (name: string) => `The earlier secret of ${name} is lost, and these lines hold a new one.`,
  secretLostNext: 'Put the new header into its other entries of Postern too: with the old one they are refused.',
  severalText: (count: number, byHand: number) => {
    if (count === 0) return 'Nothing can be changed.';
    const waits =
      byHand === 1 ? '1 waits for you to paste lines.' : `${byHand.toLocaleString('en')} wait for you to paste lines.`;
    return `Nothing is written before you say so.${byHand > 0 ? ` ${waits}` : ''}`;
  },
  filesText: (name: string) =>
    `${name} has entries for it in several files. They are taken out of all of them: one that stayed would lead nowhere.`,
  leftAlone: (name: string) => `${name} is left alone`,
  confirm: {
    created: 'Make file',
    updated: 'Change file',
    deleted: 'Delete file',
    command: 'Run',
    paste: 'Done',
    none: 'OK',
  } satisfies Record<ProgramPreview['action'], string>,
  confirmSeveral: (count: number) =>
    count === 1 ? 'Change 1 program' : `Change ${count.toLocaleString('en')} programs`,
  confirmFiles: (count: number) => (count === 1 ? 'Change 1 file' : `Change ${count.toLocaleString('en')} files`),
  done: (names: readonly string[]) =>
    new Set(names).size === 1 ? `${together(names)} is changed.` : `${together(names)} are changed.`,
  undone: (names: readonly string[]) =>
    names.length === 0
      ? ''
      : new Set(names).size === 1
        ? `${together(names)} is as before.`
        : `${together(names)} are as before.`,
  notChanged: (name: string) => `${name} was not changed.`,
  toPaste: 'There is something left for you to do.',
  paste: (name: string) => `Put these lines into the configuration of ${name} yourself:`,
  undoAll: 'Undo all…',
  useIntro: 'Choose the programs that use this server. Their files are read when you look at the changes, not before.',
  useSeveralIntro:
    'Choose the programs that use these servers. Their files are read when you look at the changes, not before.',
  usesIt: (servers: number) => (servers === 1 ? 'uses it' : 'uses them'),
  usesNot: (servers: number) => (servers === 1 ? 'does not use it' : 'uses none of them'),
  look: 'Look at the changes…',
  chosen: (count: number) =>
    count === 1 ? '1 program will change' : `${count.toLocaleString('en')} programs will change`,
  offer: (server: string) => `Use ${server} in your programs`,
  later: 'Not now',
  notices: {
    'at-once': (name: string) => `${name} notices it by itself.`,
    button: (name: string) => `Press the refresh button in the list of servers of ${name}.`,
    'new-session': (name: string) => `A new session of ${name} uses it.`,
    restart: (name: string) => `Restart ${name}.`,
  } satisfies Record<ProgramPreview['notice'], (name: string) => string>,
  notes: {
    'asks-for-trust': (name: string) => `${name} asks whether you trust the server.`,
    'trusted-folders': (name: string) => `${name} uses servers of yours only in folders that it trusts.`,
    'chatgpt-too': (_name: string) => 'The ChatGPT program has the same configuration, and uses it too.',
  } satisfies Record<ProgramNote, (name: string) => string>,
};
