import type { CheckView, UpdateObstacle } from '../../app-view.ts';
import { undoSeconds } from '../../bounds.ts';
import type { LanguageChoice } from '../../choices.ts';
import { entryFaultWords } from '../../status-words.ts';
import type { CheckFacts, CheckFault, CheckStep } from '../../status-words.ts';
import { integrationWords } from './integration-words.ts';

const ofEntry =
  (fault: keyof typeof entryFaultWords) =>
  (entry: string, facts: CheckFacts): string =>
    `the entry “${entry}” ${entryFaultWords[fault](facts)}`;

export const settingsWords = {
  title: 'Settings',
  openFile: 'Open file',
  openFolder: 'Open folder',
  restore: 'Restore the last good copy',
  unreadable: 'The settings cannot be used',
  readOnly: 'Until it can be used, your servers are not shown and nothing is changed. Your sign-ins are still there.',
  lastGood: (count: number, writtenAt: string) =>
    `Fix it there, or go back to the copy of ${writtenAt}, with ${count} ${count === 1 ? 'server' : 'servers'}. What stands in the file now is then kept beside it.`,
  noLastGood: 'Fix it there. There is no copy to go back to; without the file Postern starts with an empty list.',
  signIn: 'Sign-in',
  surface: 'Where sign-in pages open',
  surfaces: {
    popup: 'In a window of Postern',
    browser: 'In my browser',
  },
  surfaceHints: {
    popup: 'A clean window without cookies. Services that refuse such windows open in your browser anyway.',
    browser: 'Uses the sign-ins, passwords and passkeys that your browser has.',
  },
  check: 'After the check',
  connectAtOnce: 'Connect at once',
  connectAtOnceHint: 'Goes on to the sign-in without another press, unless you have something to decide.',
  callbackHost: 'Callback host',
  callbackHosts: { '127.0.0.1': '127.0.0.1 (recommended)', localhost: 'localhost' },
  callbackHostHint: 'Choose localhost for services that refuse an address made of numbers.',
  callbackPort: 'Callback port',
  callbackPortHint:
    'Apps that you created by hand have to be told the new address; servers where Postern registered itself will sign in again.',
  callbackPortWrong: 'A number from 1024 to 65535.',
  gatewayPort: 'Port for programs',
  gatewayPortHint: 'Programs that reach Postern by an address hold this port. Their entries are renewed with it.',
  gatewayPortRenew: 'Renew the entries that hold the port?',
  gatewayPortChange: 'Change port',
  gatewayPortLeft: 'Postern cannot renew these entries. They would stop working until they name the new port.',
  allowedOrigin: 'Allowed web page',
  allowedOriginHint:
    'One page, such as a tool that runs in your browser, may reach Postern at that port. It also needs the secret of a program that you added. Every other page is refused.',
  allowedOriginWrong:
    'The address of one page: with https, or with http on this computer, such as http://localhost:6274.',
  allowedOriginNone: 'Allow none',
  callbackUrl: 'Callback URL',
  callbackUrlNone: 'Chosen with the first sign-in.',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  /** Each by its own name, so that everyone finds the way back. */
  languages: { system: 'As the system', en: 'English', de: 'Deutsch' } satisfies Record<LanguageChoice, string>,
  background: 'In the background',
  closing: 'Closing the window',
  keepRunning: 'Keep Postern running',
  keepRunningHint: (platform: string) =>
    `Programs go on using your servers. Its icon is in the ${platform === 'darwin' ? 'menu bar' : platform === 'win32' ? 'notification area' : 'tray, if your desktop has one'}; starting Postern again opens the window.`,
  start: 'Start',
  startAtLogin: 'Start Postern when I log in',
  startAtLoginHint: 'In the background, without its window.',
  startAtLoginNone: 'Only an installed Postern can be started at login.',
  programs: 'Programs',
  pause: 'Pause all programs',
  pauseHint: 'Whatever they ask of your servers is refused until you resume them.',
  storage: 'Storage',
  storageOk: (backend: string) => `Works. Secrets are sealed with a key in ${backend}.`,
  storageChecking: 'Being checked.',
  storageTest: 'Test now',
  backends: {
    libsecret: 'the keychain of this desktop',
    'macos-keychain': 'the macOS keychain',
    'windows-credential-manager': 'Windows Credential Manager',
  } as Readonly<Record<string, string | undefined>>,
  checks: {
    settings: 'Settings file',
    keychain: 'Keychain',
    vault: 'Vault',
    callback: 'Callback port',
    clock: 'Clock',
    providers: 'Identity providers',
    local: 'Local servers',
    programs: 'Programs',
    collections: 'Collections',
  } satisfies Record<CheckView['name'], string>,
  checkOf: (check: string, of: string | undefined) => (of === undefined ? check : `${check}, ${of}`),
  /** `entry`: of an app, or the server that it waits for. */
  checkFaults: {
    stopped: () => 'stopped.',
    failing: () => 'ended too often.',
    'server-gone': ofEntry('server-gone'),
    revoked: ofEntry('revoked'),
    'not-allowed': ofEntry('not-allowed'),
    'old-port': ofEntry('old-port'),
    'old-secret': ofEntry('old-secret'),
    'kept-out': ofEntry('kept-out'),
    'command-gone': ofEntry('command-gone'),
    'other-version': ofEntry('other-version'),
    waiting: (server) => `its configuration still lacks the lines for “${server}”.`,
    empty: () => 'has no servers.',
  } satisfies Record<CheckFault, (entry: string, facts: CheckFacts) => string>,
  /** `of`: the app, or whatever else it is about. */
  checkSteps: {
    start: () => 'Start it to use it.',
    'see-output': () => 'Look at its output.',
    'take-out': (of) => `Take the entry out of the configuration of ${of}.`,
    allow: (of) => `Switch the server on for ${of} under “Programs”.`,
    renew: (of) => `Switch the server off for ${of} under “Programs”, and on again.`,
    'renew-address': (of) => `Switch the server off for ${of} under “Programs”, and on again.`,
    'change-setting': (of) => `Change that setting in ${of}.`,
    paste: (of) => `Paste them: the page of ${of} under “Programs” shows them.`,
    'add-servers': () => 'Add servers to it under “Programs”.',
  } satisfies Record<CheckStep, (of: string) => string>,
  checkOk: 'works',
  network: 'Network',
  proxy: 'Proxy',
  proxyDirect: 'None; connections go straight to the servers.',
  proxyInUse: (host: string | undefined) => `Connections go through ${host ?? 'the one that is set on this computer'}.`,
  proxyNotUsed: (host: string | undefined) =>
    `${host === undefined ? 'One' : host} is set on this computer, and cannot be used.`,
  certificates: 'Certificates',
  certificatesOfSystem: 'Those that this computer trusts.',
  certificatesOfFile: (file: string) => `Those that this computer trusts, and those in ${file}.`,
  chooseCertificates: 'Choose file…',
  forgetCertificates: 'Use no file',
  certificatesHint:
    'Only needed if your company has certificate authorities of its own. The file must be in PEM format.',
  list: 'List of servers',
  listText:
    'The list without any secret: to keep, to share, or to move to another computer. Whatever follows a ? in an address is left out; a key in the address itself is not.',
  exportButton: 'Export',
  importButton: 'Import',
  exported: 'The list was saved.',
  exportLeftOut: (count: number) =>
    count === 1
      ? 'One server runs on this computer and was left out.'
      : `${count} servers run on this computer and were left out.`,
  imported: (count: number) =>
    count === 0 ? 'Nothing new in that list.' : `${count} ${count === 1 ? 'server was' : 'servers were'} added.`,
  importSkipped: (count: number) => `${count} ${count === 1 ? 'was' : 'were'} there already.`,
  importLeftOut: (count: number) =>
    `${count} ${count === 1 ? 'permission or sign-in address of the list was' : 'permissions or sign-in addresses of the list were'} left out. You are asked when you sign in.`,
  importRefused: (count: number) => `${count} could not be read.`,
  checklist: 'Sign in to each of them again:',
  about: 'About',
  version: 'Version',
  logs: 'Open logs',
  logsHint: 'No secret is ever written there.',
  shortcuts: 'Keyboard',
  deleteKey: 'Del',
  shortcutList: {
    connect: 'Connect a server',
    search: 'Search servers',
    settings: 'Settings',
    fold: 'Fold the side bar',
    rename: 'Rename a server',
    remove: 'Remove a server',
    move: 'Move in the list',
    close: 'Close a dialog, clear the search',
  },
};

/** Postern without its window. */
export const backgroundWords = {
  paused: 'Programs are paused',
  pausedText: 'Whatever they ask of your servers is refused, and they are told why.',
  resume: 'Resume',
  portText:
    'Programs whose entry holds an address of Postern cannot reach it. End what uses the port and try again, or choose another one; Postern then shows the entries that hold it, and renews them.',
  portStill: 'It is still in use.',
  tryPort: 'Try again',
  choosePort: 'Choose another port',
  offer: 'Start Postern when you log in?',
  offerText:
    'It starts in the background, without its window, so that your programs reach their servers at once. You can change this in Settings.',
  accept: 'Start at login',
  decline: 'Not now',
};

export const updateWords = {
  title: 'Updates',
  newer: 'Newer versions',
  automatic: 'Look for newer versions of Postern',
  automaticHint: 'At start and once a day. Nothing is downloaded or installed unless you say so.',
  check: 'Look now',
  checking: 'Looking…',
  current: (version: string, when: string | undefined) =>
    when === undefined ? `This is ${version}.` : `${version} is the newest version (looked ${when}).`,
  available: (version: string) => `Postern ${version} is available.`,
  download: 'Download it',
  downloading: (version: string, percent: number) => `Downloading Postern ${version}: ${percent} %`,
  ready: (version: string) => `Postern ${version} is ready.`,
  readyText: 'It starts with the next start of Postern, or now.',
  restart: 'Restart now',
  later: 'Later',
  obstacles: {
    source: 'This Postern runs from its source; update that.',
    managed: 'Whoever manages this computer updates Postern.',
    'unsigned-build': 'This build of Postern knows no place for updates that it could trust.',
    'not-installed': 'This Postern was unpacked by hand; get newer versions from where you got it.',
  } satisfies Record<UpdateObstacle, string>,
};

const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'sign-in' : 'sign-ins'}`;

export const deletionWords = {
  setting: 'All data',
  settingText: 'Servers, sign-ins, settings and logs that Postern keeps on this computer.',
  open: 'Delete all data…',
  goes: 'What is deleted on this computer',
  goesServers: (count: number) => `${servers(count)}, with name, address and options`,
  goesSignIns: (count: number) => `${signIns(count)} and API keys, and the key to them in the keychain`,
  goesSettings: 'all settings, the callback port too, and the logs',
  goesPrograms: 'collections, which programs may use what, what they called, and the copies of their files',
  goesThen: 'The services are told that the access ends, as far as they can be reached.',
  stays: 'What stays',
  staysAccounts: 'your accounts at the services, and all that you have stored there',
  staysApps: 'apps that you created at a service yourself',
  left: (count: number) => (count === 0 ? 'Telling the services.' : `${servers(count)} left.`),
  done: (count: number) => `${signIns(count)} removed from the keychain.`,
  partly: (count: number, gone: number) =>
    `${servers(count)} and ${signIns(gone)} are deleted; something is still here.`,
  ended: (count: number) => (count === 0 ? '' : `The services have ended the access of ${signIns(count)}.`),
  endsByItself: (count: number) =>
    count === 0 ? '' : `For ${signIns(count)} the service could not be told; that access ends by itself.`,
  registrations: (count: number) =>
    count === 0 ? '' : `${count} ${count === 1 ? 'registration stays' : 'registrations stay'} at the services, unused.`,
  /** Of a sign-out and of a removal, by the name of one server. */
  begun: {
    signOut: (name: string, count: number) => `You are signed out of ${count === 1 ? name : servers(count)}.`,
    remove: (name: string, count: number) => `${count === 1 ? name : servers(count)} removed.`,
  },
  undo: 'Undo',
  now: 'Delete now',
  final: `This becomes final after ${undoSeconds} seconds.`,
  finalCollection: `You can undo this here for ${undoSeconds} seconds, and with “postern undo” for an hour.`,
  telling: 'Deleting, and telling the service.',
  /** `name`: of the only one. */
  finished: {
    signOut: (name: string | undefined, count: number) =>
      `The ${count === 1 ? `sign-in to ${name ?? servers(1)} was` : `sign-ins to ${servers(count)} were`} deleted from this computer.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} was` : `${servers(count)} were`} removed from this computer.`,
  },
  /** Something new was made of them meanwhile, by another window or command. */
  kept: {
    signOut: (name: string | undefined, count: number) =>
      `Somebody has signed in to ${count === 1 ? (name ?? servers(1)) : servers(count)} again: that sign-in stays.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} is` : `${servers(count)} are`} in the list again, and stay${count === 1 ? 's' : ''} there.`,
  },
  back: {
    signOut: (name: string, count: number) => `You are signed in to ${count === 1 ? name : servers(count)} again.`,
    remove: (name: string, count: number) => `${count === 1 ? `${name} is` : `${servers(count)} are`} back.`,
  },
  tooLate: 'It was too late: the deletion has begun.',
  entriesLeft: (programs: readonly string[]) =>
    programs.length === 0
      ? ''
      : `The entry in ${programs.join(', ')} could not be put back. Add it again under ${integrationWords.use}.`,
  stillHere: {
    signOut: (name: string, count: number) =>
      count === 1
        ? `The sign-in to ${name} is still on this computer.`
        : `Not every sign-in to ${servers(count)} could be deleted.`,
    remove: (name: string, count: number) =>
      count === 1
        ? `What is kept for ${name} is still on this computer.`
        : `Not everything of ${servers(count)} could be deleted.`,
  },
  triesAgain: (reason: string) => `${reason} Postern tries again at its next start.`,
};
