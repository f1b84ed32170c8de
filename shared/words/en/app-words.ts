import type { ToolPreset } from '../../tool-permissions.ts';
import type { AppNote, AppPreview, ToolRulesView } from '../../app-view.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Up to three names, otherwise two and how many more. An app may have several files, so names can repeat. */
function together(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - 2;
  return list.format(names.length > 3 ? [...names.slice(0, 2), `${more.toLocaleString('en')} more`] : names);
}

export const appWords = {
  title: 'AI apps',
  intro: 'AI apps on this computer. They use the servers you switch on here. Your sign-ins stay in Postern.',
  searching: 'Looking for AI apps',
  none: 'Postern found no AI app on this computer that it supports.',
  noneNext: 'Install one and start it once, then search again.',
  searchAgain: 'Search again',
  other: {
    add: 'Another app…',
    title: 'Another app',
    text: 'For an app that is not in the list. Postern shows you the lines to add to its configuration.',
    name: 'Name',
    nameHint: 'Any name you like. Each app needs its own.',
    server: 'Server',
    connection: 'How it connects to Postern',
    command: 'With a command',
    commandHint: 'Works in most apps. Starts Postern if it is not running.',
    address: 'With an address',
    addressHint: 'Over HTTP, with a header. Postern must already be running.',
    showLines: 'Show lines…',
    added: (name: string) => `${name} can now use the server.`,
    unknownFile: 'Postern does not know where its configuration is. Add the lines there yourself.',
    accessText: (name: string) =>
      `${name} loses access to every server and disappears from this list. Its lines stop working.`,
    revoked: (name: string) => `${name} can no longer use Postern. Remove the lines from its configuration yourself.`,
  },
  collections: {
    title: 'Collections',
    intro: 'Several servers behind one entry. You can change them later without touching the app.',
    add: 'New collection…',
    new: 'New collection',
    text: 'A collection has the tools of all its servers. Servers that need a sign-in are left out until you sign in.',
    change: 'Change…',
    state: (members: number, users: readonly string[]) =>
      `${members === 1 ? '1 server' : `${members.toLocaleString('en')} servers`}${users.length > 0 ? ` · used by ${together(users)}` : ''}`,
  },
  gone: 'This app is no longer on this computer.',
  uses: (used: number, all: number) => `uses ${used.toLocaleString('en')} of ${all.toLocaleString('en')}`,
  waiting: 'waiting for you: its entry is missing',
  waitingOf: (name: string) => `Its entry in ${name} is missing.`,
  checkAgain: 'Check again',
  addEntry: 'Add the entry…',
  pasted: (name: string) => `${name} can now use the server.`,
  notPasted: (path: string) =>
    path === ''
      ? 'The entry is not there yet.'
      : `The entry is not in ${path} yet. Add it, save the file, and check again.`,
  lastUsed: (distance: string) => `last used ${distance}`,
  notSetUp: 'not set up',
  revoked: 'access revoked',
  revokedText: (name: string) => `${name} can’t use Postern. Switch a server on to allow it again.`,
  file: 'Configuration',
  servers: 'Servers this app can use',
  noServers: 'Connect a server first.',
  connect: 'Connect a server',
  change: 'Last change',
  changed: (names: readonly string[], time: string) => `${names.join(', ')}, ${time}`,
  undo: 'Undo…',
  unreadable: 'can’t read its file',
  paused: 'paused',
  pausing: {
    pause: 'Pause',
    pauseOf: (name: string) => `Pause ${name}`,
    pauseText: (name: string) => `Postern refuses requests from ${name} until you resume it.`,
    isPausedTitle: (name: string) => `${name} is paused`,
    isPausedText: 'Postern refuses its requests and tells it why.',
    resume: 'Resume',
    resumeOf: (name: string) => `Resume ${name}`,
  },
  others: 'Other servers in its configuration',
  othersText: 'Servers that this app reaches without Postern. Postern lists them only when you ask it to.',
  showServers: 'Show servers',
  noOthers: 'No other servers.',
  withSecrets: (names: readonly string[]) => `with ${list.format(names)}`,
  isCommand: 'starts a command',
  ofProject: (folder: string) => `for the project ${folder}`,
  isConnected: 'also connected in Postern',
  keyOfConnected: {
    moved: 'its key moves into Postern’s vault when Postern takes it over',
    existing: 'its key is not copied: Postern already has a sign-in or key for it',
  },
  import: 'Import',
  takeOver: 'Take over…',
  previewTakeOver: (entry: string, app: string) => `Let Postern take over ${entry} in ${app}?`,
  access: 'Access',
  accessText: (name: string) =>
    `${name} loses access to every server. You can then remove its entries, which stop working.`,
  revoke: 'Revoke access…',
  revokeDone: (name: string) => `${name} can no longer use Postern.`,
  previewOf: (apps: readonly string[], use: boolean, server: string) =>
    use ? `Add ${server} to ${together(apps)}?` : `Remove ${server} from ${together(apps)}?`,
  previewMixed: (apps: readonly string[]) => `Change ${together(apps)}?`,
  previewUndoOf: (apps: readonly string[]) => `Undo the changes to ${together(apps)}?`,
  previewUndo: (app: string) => `Undo the last change to ${app}?`,
  actions: {
    created: 'Postern creates this file:',
    updated: 'Postern changes this file:',
    deleted: 'Postern deletes this file, because nothing else is in it:',
    command: 'Postern runs the app’s own command, which changes this file:',
    paste: 'Postern can’t do this for you. Add these lines to the configuration yourself:',
    none: 'This file needs no change:',
  } satisfies Record<AppPreview['action'], string>,
  /** For lines that the user removes by hand. */
  removeLines: 'Postern can’t do this for you. Remove these lines from the configuration yourself:',
  staleTitle: (canChange: boolean, server = 'Postern') =>
    canChange ? `Remove ${server} from your AI apps first?` : 'Postern could not check some files',
  staleText: (canChange: boolean) =>
    canChange
      ? 'These entries would stop working. Nothing is written until you confirm.'
      : 'Any Postern entries in them would stop working.',
  leaveEntries: (canChange: boolean) => (canChange ? 'Leave entries…' : 'Continue…'),
  removeEntriesFirst: 'Remove entries and continue…',
  entriesStay: (name: string) => `The configuration of ${name} may still have Postern entries. They no longer work.`,
  removeEntries: 'Remove entries…',
  previewEntries: (name: string) => `Remove the Postern entries from ${name}?`,
  noEntries: (name: string) => `The configuration of ${name} has no Postern entries.`,
  removedLines: 'Removed lines',
  addedLines: 'Added lines',
  commands: 'Commands',
  pasteInstead: (fault: string) => `${fault} Fix that and try again, or add these lines yourself:`,
  pasteThen: 'Choose Done. The app can use the server as soon as the lines are in its configuration.',
  copyLines: 'Copy lines',
  hiddenValues: '“…” stands for a hidden value.',
  removesBom:
    'The file starts with a byte order mark (BOM), which makes apps ignore the whole list. Postern removes it too.',
  excludedBy: (name: string, setting: string) =>
    `${name} will not use it because of its own setting ${setting}. Change it there.`,
  entryExcluded: (entry: string, setting: string) =>
    `${entry} is not used because of the app’s own setting ${setting}. Change it there.`,
  rules: (name: string, { entry, only, denied }: ToolRulesView) => {
    const left = only?.filter((tool) => !denied.includes(tool));
    return [
      `${entry}:`,
      ...(left
        ? [left.length === 0 ? `${name} can use none of its tools.` : `${name} can use only ${left.join(', ')}.`]
        : []),
      ...(denied.length > 0 ? [`${name} can’t use ${denied.join(', ')}.`] : []),
      'Postern enforces this.',
    ].join(' ');
  },
  revertsRules: 'Its rule for the tools goes back to what it was.',
  copySaved: 'Postern saves a copy of the file, so you can undo this.',
  secrets: {
    none: 'It contains no secrets.',
    helper: 'It contains no secrets: the app gets its secret from a Postern command.',
    header: 'It contains this app’s secret, which only works with Postern.',
  } satisfies Record<AppPreview['secret'], string>,
  /** For lines that the user copies. */
  pastedSecret:
    'The copied lines contain this app’s secret, which is hidden here. It only works with Postern. Don’t put it anywhere else.',
  profile: 'Profile',
  defaultProfile: 'Default',
  anotherProfile: 'Another profile…',
  secretLost: (name: string) => `The earlier secret of ${name} is lost. These lines contain a new one.`,
  secretLostNext: 'Put the new header into its other Postern entries too. The old one no longer works.',
  severalText: (count: number, byHand: number) => {
    if (count === 0) return 'There is nothing that Postern can change.';
    const waits =
      byHand === 1 ? '1 app needs you to paste lines.' : `${byHand.toLocaleString('en')} apps need you to paste lines.`;
    return `Nothing is written until you confirm.${byHand > 0 ? ` ${waits}` : ''}`;
  },
  filesText: (name: string) =>
    `${name} has entries for it in several files. Postern removes all of them, because they would stop working.`,
  unchanged: (name: string) => `${name} is not changed`,
  confirm: {
    created: 'Create file',
    updated: 'Change file',
    deleted: 'Delete file',
    command: 'Run',
    paste: 'Done',
    none: 'OK',
  } satisfies Record<AppPreview['action'], string>,
  confirmSeveral: (count: number) => (count === 1 ? 'Change 1 app' : `Change ${count.toLocaleString('en')} apps`),
  confirmFiles: (count: number) => (count === 1 ? 'Change 1 file' : `Change ${count.toLocaleString('en')} files`),
  done: (names: readonly string[]) => `Updated ${together(names)}.`,
  undone: (names: readonly string[]) => (names.length === 0 ? '' : `Undid the changes to ${together(names)}.`),
  revertedRules: (apps: number) =>
    apps === 1 ? 'Its rule for the tools is back as it was.' : 'Their rules for the tools are back as they were.',
  notChanged: (name: string) => `${name} was not changed.`,
  toPaste: 'One step is left for you.',
  paste: (name: string) => `Add these lines to the configuration of ${name} yourself:`,
  undoNow: 'Undo',
  undoAll: 'Undo all',
  changedOf: (apps: readonly string[]) => `Changes to ${together(apps)}`,
  switchedOn: (app: string, server: string) => `${app} can use ${server} now.`,
  switchedOff: (app: string, server: string) => `${app} can no longer use ${server}.`,
  /** What an app may do with a server's tools. */
  presets: {
    everything: 'It can use every tool without asking.',
    'ask-changes': 'Postern asks you before it changes something.',
    'read-only': 'It can only use tools that read.',
    'only-allowed': 'It can only use tools that you allow.',
  } satisfies Record<ToolPreset, string>,
  through: (collection: string) => `through ${collection}`,
  useIntro: 'Switch on the apps that may use this server. You can undo each change.',
  useSeveralIntro: 'Choose the apps that use these servers. You see each change before it is made.',
  usesIt: (servers: number) => (servers === 1 ? 'uses it' : 'uses them'),
  doesNotUseIt: (servers: number) => (servers === 1 ? 'does not use it' : 'uses none of them'),
  reviewChanges: 'Review changes…',
  chosen: (count: number) => (count === 1 ? '1 app will change' : `${count.toLocaleString('en')} apps will change`),
  useInApps: (server: string) => `Use ${server} in your AI apps`,
  connected: {
    title: (server: string) => `${server} is connected`,
    tools: (count: number) =>
      count === 0 ? 'no tools' : count === 1 ? '1 tool' : `${count.toLocaleString('en')} tools`,
    renews: 'renews by itself',
    onThisComputer: 'runs on this computer',
    where: 'Where do you want to use it?',
    mayChange: 'May it change things?',
    rules: {
      'ask-changes': 'Ask me first',
      'read-only': 'No, read only',
      everything: 'Yes, without asking',
    } satisfies Partial<Record<ToolPreset, string>>,
    ruleHint: 'The server itself says which of its tools only read.',
    laterTools: 'It has no tools now. This applies to tools that it adds later.',
    use: (apps: readonly string[]) => (apps.length === 0 ? 'Choose an app' : `Use in ${together(apps)}`),
    seeLines: 'See the lines…',
    undoLater: 'Undo any time',
    usedByAll: 'All your AI apps can use it.',
    ask: (app: string) => `Now ask ${app}:`,
    example: (tool: string, server: string) => `Use “${tool}” in ${server} and show me what you find.`,
    tryHere: 'Try it right here',
    tryForm: 'Fill in and run',
    open: 'Show the server',
  },
  notices: {
    'at-once': (name: string) => `${name} picks up the change automatically.`,
    button: (name: string) => `Press Refresh in the server list of ${name}.`,
    'new-session': (name: string) => `The change applies to new sessions in ${name}.`,
    restart: (name: string) => `Restart ${name} to apply the change.`,
  } satisfies Record<AppPreview['notice'], (name: string) => string>,
  notes: {
    'asks-for-trust': (name: string) => `${name} will ask whether you trust the server.`,
    'trusted-folders': (name: string) => `${name} uses your servers only in trusted folders.`,
    'chatgpt-too': (_name: string) => 'The ChatGPT app shares this configuration and uses it too.',
  } satisfies Record<AppNote, (name: string) => string>,
};
