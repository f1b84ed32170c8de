import type { ProgramPreview } from '../../shared/program-view.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Of many the number alone. */
function together(names: readonly string[]): string {
  return names.length > 3 ? `${names.length.toLocaleString('en')} programs` : list.format(names);
}

export const programWords = {
  title: 'Programs',
  intro:
    'AI programs on this computer. What you switch on here, they use with your sign-in; no secret goes into their files.',
  looking: 'Looking for programs',
  none: 'None of the programs that Postern knows was found here.',
  noneNext: 'Install one and start it once, then look again.',
  lookAgain: 'Look again',
  gone: 'This program is not here any more.',
  uses: (used: number, all: number) => `uses ${used.toLocaleString('en')} of ${all.toLocaleString('en')}`,
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
  others: 'Also in its configuration',
  othersText: 'Servers that this program reaches without Postern. Its file is read when you look, not before.',
  lookInside: 'Look inside',
  noOthers: 'Nothing else stands in it.',
  withSecrets: (names: readonly string[]) => `with ${list.format(names)}`,
  isCommand: 'starts a command; Postern takes servers with an address alone so far',
  isConnected: 'connected in Postern too',
  import: 'Import',
  takeOver: 'Take over…',
  previewTakeOver: (entry: string, program: string) => `Let Postern take over ${entry} in ${program}?`,
  access: 'Access',
  accessText: (name: string) =>
    `Takes every server away from ${name} at once. Its entries stay in its file; they lead nowhere then.`,
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
  goes: 'Lines that go',
  comes: 'Lines that come',
  commands: 'Commands',
  copyKept: 'A copy of the file is kept, so that you can undo this.',
  secrets: {
    none: 'No secret stands in it.',
    helper: 'No secret stands in it: the program asks a command of Postern for it.',
    header: 'A secret of this program stands in it; it opens nothing but Postern.',
  } satisfies Record<ProgramPreview['secret'], string>,
  severalText: (count: number) => (count === 0 ? 'Nothing can be changed.' : 'Nothing is written before you say so.'),
  leftAlone: (name: string) => `${name} is left alone`,
  confirm: {
    created: 'Make file',
    updated: 'Change file',
    deleted: 'Delete file',
    command: 'Run',
    paste: 'Done',
    none: 'OK',
  } satisfies Record<ProgramPreview['action'], string>,
  confirmSeveral: (count: number) => `Change ${count.toLocaleString('en')} programs`,
  done: (names: readonly string[]) =>
    names.length === 1 ? `${together(names)} is changed.` : `${together(names)} are changed.`,
  undone: (names: readonly string[]) =>
    names.length === 0
      ? ''
      : names.length === 1
        ? `${together(names)} is as before.`
        : `${together(names)} are as before.`,
  notChanged: (name: string) => `${name} was not changed.`,
  toPaste: 'There is something left for you to do.',
  paste: (name: string) => `Put these lines into the configuration of ${name} yourself:`,
  undoAll: 'Undo all…',
  useIntro: 'Choose the programs that use this server. Their files are read when you look at the changes, not before.',
  usesIt: 'uses it',
  usesNot: 'does not use it',
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
};
