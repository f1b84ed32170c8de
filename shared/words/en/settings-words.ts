import type { CheckView, UpdateObstacle } from '../../desktop-view.ts';
import { undoSeconds } from '../../bounds.ts';
import type { LanguageChoice } from '../../choices.ts';
import { entryFaultWords } from '../../status-words.ts';
import type { SettingsSection } from '../../settings.ts';
import type { CheckFacts, CheckFault, CheckStep } from '../../status-words.ts';
import { registryWords } from './catalog-words.ts';
import { integrationWords } from './integration-words.ts';

const ofEntry =
  (fault: keyof typeof entryFaultWords) =>
  (entry: string, facts: CheckFacts): string =>
    `the entry “${entry}” ${entryFaultWords[fault](facts)}`;

export const settingsWords = {
  title: 'Settings',
  sections: {
    general: 'General',
    signIn: 'Sign-in',
    apps: 'AI apps',
    privacy: 'Storage and privacy',
    about: 'About Postern',
    callback: 'Callback URL',
    gateway: 'Apps that connect with an address',
    registry: registryWords.title,
    network: 'Network',
  } satisfies Record<SettingsSection, string>,
  advanced: 'Advanced',
  openFile: 'Open file',
  openFolder: 'Open folder',
  restore: 'Restore last good copy',
  unreadable: 'Postern can’t use the settings file',
  readOnly: 'Until it is fixed, Postern shows no servers and changes nothing. Your sign-ins are still there.',
  lastGood: (count: number, writtenAt: string) =>
    `Fix the file, or restore the copy from ${writtenAt} with ${count} ${count === 1 ? 'server' : 'servers'}. Postern saves the current file next to it.`,
  noLastGood: 'Fix the file. There is no copy to restore. Without the file, Postern starts with an empty list.',
  surface: 'Where sign-in pages open',
  surfaces: {
    popup: 'In a Postern window',
    browser: 'In my browser',
  },
  surfaceHints: {
    popup: 'A fresh window without cookies. If a service refuses it, Postern uses your browser.',
    browser: 'Uses the sign-ins, passwords and passkeys in your browser.',
  },
  check: 'After checking a server',
  connectAtOnce: 'Connect right away',
  connectAtOnceHint: 'Starts the sign-in without another click, unless you have something to decide.',
  callbackHost: 'Callback host',
  callbackHosts: { '127.0.0.1': '127.0.0.1 (recommended)', localhost: 'localhost' },
  callbackHostHint: 'Choose localhost for services that reject numeric addresses.',
  callbackPort: 'Callback port',
  callbackPortHint:
    'After a change, update the callback URL of OAuth apps that you created. Servers where Postern registered itself need a new sign-in.',
  callbackPortWrong: 'Enter a number from 1024 to 65535.',
  gatewayPort: 'Port for apps',
  gatewayPortHint:
    'Entries of apps that connect with an address contain this port. Postern updates them when it changes.',
  gatewayPortNone: 'Set when the first app needs it.',
  gatewayPortRenew: 'Update the entries that contain the port?',
  gatewayPortChange: 'Change port',
  gatewayPortManual: 'Postern can’t update these entries. They stop working until you enter the new port in them.',
  allowedOrigin: 'Allowed web page',
  allowedOriginHint:
    'Lets one web page, such as a tool in your browser, reach Postern at that port. The page also needs the secret of an app that you added. Postern refuses all other pages.',
  allowedOriginWrong:
    'Enter the origin of one page, such as http://localhost:6274. It must use https, or be on this computer.',
  allowedOriginNone: 'Allow none',
  callbackUrl: 'Callback URL',
  callbackUrlNone: 'Set at your first sign-in.',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  /** Each in its own language, so that users can always switch back. */
  languages: { system: 'Same as system', en: 'English', de: 'Deutsch' } satisfies Record<LanguageChoice, string>,
  background: 'In the background',
  closing: 'When you close the window',
  keepRunning: 'Keep Postern running',
  keepRunningHint: (platform: string) =>
    `AI apps can keep using your servers. Look for Postern’s icon in the ${platform === 'darwin' ? 'menu bar' : platform === 'win32' ? 'notification area' : 'tray, if your desktop has one'}. Start Postern again to open the window.`,
  start: 'Start',
  startAtLogin: 'Start Postern when I log in',
  startAtLoginHint: 'In the background, without a window.',
  startAtLoginNone: 'Install Postern to start it at login.',
  pausing: 'Access',
  pause: 'Pause all apps',
  pauseHint: 'Postern refuses all requests to your servers until you resume.',
  storageOk: (backend: string) => `Works. Secrets are encrypted with a key in ${backend}.`,
  storageChecking: 'Checking…',
  storageTest: 'Test now',
  backends: {
    libsecret: 'the desktop keychain',
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
    apps: 'AI apps',
    collections: 'Collections',
  } satisfies Record<CheckView['name'], string>,
  checkOf: (check: string, of: string | undefined) => (of === undefined ? check : `${check}, ${of}`),
  /** `entry`: an app's entry, or the server whose lines are missing. */
  checkFaults: {
    stopped: () => 'is stopped.',
    failing: () => 'exited too often.',
    'server-gone': ofEntry('server-gone'),
    revoked: ofEntry('revoked'),
    'not-allowed': ofEntry('not-allowed'),
    'old-port': ofEntry('old-port'),
    'old-secret': ofEntry('old-secret'),
    excluded: ofEntry('excluded'),
    'command-gone': ofEntry('command-gone'),
    'other-version': ofEntry('other-version'),
    waiting: (server) => `its configuration is missing the lines for “${server}”.`,
    empty: () => 'has no servers.',
  } satisfies Record<CheckFault, (entry: string, facts: CheckFacts) => string>,
  /** `of`: the app, or another subject of the check. */
  checkSteps: {
    start: () => 'Start it to use it.',
    'see-output': () => 'Check its output.',
    'remove-entry': (of) => `Remove the entry from the configuration of ${of}.`,
    allow: (of) => `Switch the server on for ${of} under “AI apps”.`,
    renew: (of) => `Under “AI apps”, switch the server off and on again for ${of}.`,
    'renew-address': (of) => `Under “AI apps”, switch the server off and on again for ${of}.`,
    'change-setting': (of) => `Change that setting in ${of}.`,
    paste: (of) => `Paste them. The page of ${of} under “AI apps” shows them.`,
    'add-servers': () => 'Add servers to it under “AI apps”.',
  } satisfies Record<CheckStep, (of: string) => string>,
  checkOk: 'works',
  proxy: 'Proxy',
  proxyDirect: 'None. Postern connects directly.',
  proxyInUse: (host: string | undefined) => `Postern connects through ${host ?? 'the proxy set on this computer'}.`,
  proxyNotUsed: (host: string | undefined) =>
    `Postern can’t use the proxy ${host === undefined ? '' : `${host} `}set on this computer.`,
  certificates: 'Certificates',
  certificatesOfSystem: 'Those trusted by this computer.',
  certificatesOfFile: (file: string) => `Those trusted by this computer, and those in ${file}.`,
  chooseCertificates: 'Choose file…',
  forgetCertificates: 'Stop using this file',
  certificatesHint: 'Only needed if your company has its own certificate authorities. The file must be in PEM format.',
  list: 'Server list',
  listText:
    'Your servers without secrets, for backup, sharing or another computer. Postern leaves out everything after a ? in an address, but not a key inside the address itself.',
  exportButton: 'Export',
  importButton: 'Import',
  exported: 'The list was exported.',
  exportLeftOut: (count: number) =>
    count === 1
      ? 'One server runs on this computer and was left out.'
      : `${count} servers run on this computer and were left out.`,
  imported: (count: number) =>
    count === 0 ? 'This list contains nothing new.' : `${count} ${count === 1 ? 'server was' : 'servers were'} added.`,
  importSkipped: (count: number) => `${count} already existed.`,
  importLeftOut: (count: number) =>
    `${count} ${count === 1 ? 'permission or sign-in address was' : 'permissions or sign-in addresses were'} left out. Postern asks you when you sign in.`,
  importRefused: (count: number) => `${count} could not be read.`,
  checklist: 'Sign in again to each of these:',
  version: 'Version',
  logsRow: 'Logs',
  logs: 'Open logs',
  logsHint: 'Logs never contain secrets.',
  shortcuts: 'Keyboard shortcuts',
  deleteKey: 'Del',
  shortcutList: {
    connect: 'Connect a server',
    search: 'Search servers',
    settings: 'Settings',
    fold: 'Collapse the sidebar',
    rename: 'Rename a server',
    remove: 'Remove a server',
    move: 'Move in the list',
    close: 'Close a dialog or clear the search',
  },
};

/** Postern without its window. */
export const backgroundWords = {
  paused: 'All apps are paused',
  pausedText: 'Postern refuses their requests and tells them why.',
  resume: 'Resume',
  portText:
    'AI apps that connect with an address can’t reach Postern. Free the port and try again, or choose another port. Postern then updates the entries that contain it.',
  portStill: 'The port is still in use.',
  tryPort: 'Try again',
  choosePort: 'Choose another port',
  offer: 'Start Postern when you log in?',
  offerText:
    'It starts in the background, so your AI apps can use their servers right away. You can change this in Settings.',
  accept: 'Start at login',
  decline: 'Not now',
};

export const updateWords = {
  title: 'Updates',
  automatic: 'Check for new versions of Postern',
  automaticHint: 'At start and once a day. Postern never downloads or installs anything without asking.',
  check: 'Check now',
  checking: 'Checking…',
  current: (version: string, when: string | undefined) =>
    when === undefined ? `You have version ${version}.` : `Version ${version} is up to date (checked ${when}).`,
  available: (version: string) => `Postern ${version} is available.`,
  download: 'Download update',
  downloading: (version: string, percent: number) => `Downloading Postern ${version}: ${percent}%`,
  ready: (version: string) => `Postern ${version} is ready to install.`,
  readyText: 'Restart now, or it installs the next time you start Postern.',
  restart: 'Restart now',
  later: 'Later',
  obstacles: {
    source: 'This Postern runs from source. Update the source instead.',
    managed: 'Your administrator updates Postern on this computer.',
    'unsigned-build': 'This build of Postern has no trusted source for updates.',
    'not-installed': 'This Postern was unpacked by hand. Get new versions where you got this one.',
  } satisfies Record<UpdateObstacle, string>,
};

const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'sign-in' : 'sign-ins'}`;

export const deletionWords = {
  setting: 'All data',
  settingText: 'Servers, sign-ins, settings and logs of Postern on this computer.',
  open: 'Delete all data…',
  deletedTitle: 'Deleted from this computer',
  deletedServers: (count: number) => `${servers(count)}, with their names, addresses and options`,
  deletedSignIns: (count: number) => `${signIns(count)} and all API keys, with their encryption key in the keychain`,
  deletedSettings: 'all settings, including the callback port, and the logs',
  deletedApps: 'collections, app permissions, the activity log, and copies of app configurations',
  revokesAccess: 'Postern asks each service it can reach to revoke its access.',
  remainsTitle: 'Not deleted',
  remainingAccounts: 'your accounts at the services, and everything stored there',
  remainingApps: 'OAuth apps that you created at a service',
  serversLeft: (count: number) => (count === 0 ? 'Revoking access at the services.' : `${servers(count)} left.`),
  done: (count: number) => `${signIns(count)} removed from the keychain.`,
  partly: (count: number, gone: number) =>
    `${servers(count)} and ${signIns(gone)} were deleted. Some data is still on this computer.`,
  revoked: (count: number) => (count === 0 ? '' : `The services revoked ${signIns(count)}.`),
  notRevoked: (count: number) =>
    count === 0
      ? ''
      : `Postern could not fully revoke ${signIns(count)}, which ${count === 1 ? 'expires' : 'expire'} on ${count === 1 ? 'its' : 'their'} own.`,
  registrations: (count: number) =>
    count === 0 ? '' : `${count} unused ${count === 1 ? 'registration stays' : 'registrations stay'} at the services.`,
  /** For a sign-out and a removal; `name` is used for one server. */
  begun: {
    signOut: (name: string, count: number) => `You are signed out of ${count === 1 ? name : servers(count)}.`,
    remove: (name: string, count: number) => `${count === 1 ? name : servers(count)} removed.`,
  },
  undo: 'Undo',
  now: 'Delete now',
  final: `You can undo this for ${undoSeconds} seconds.`,
  finalCollection: `You can undo this here for ${undoSeconds} seconds, or with “postern undo” for an hour.`,
  deleting: 'Deleting, and revoking Postern’s access at the service.',
  /** `name`: the name if there is only one server. */
  finished: {
    signOut: (name: string | undefined, count: number) =>
      `The ${count === 1 ? `sign-in to ${name ?? servers(1)} was` : `sign-ins to ${servers(count)} were`} deleted from this computer.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} was` : `${servers(count)} were`} removed from this computer.`,
  },
  /** Another window or command changed them meanwhile. */
  changedMeanwhile: {
    signOut: (name: string | undefined, count: number) =>
      `${count === 1 ? `A new sign-in to ${name ?? servers(1)} was` : `New sign-ins to ${servers(count)} were`} made meanwhile. Postern did not delete ${count === 1 ? 'it' : 'them'}.`,
    remove: (name: string | undefined, count: number) =>
      `${count === 1 ? `${name ?? servers(1)} was` : `${servers(count)} were`} added again meanwhile. Postern did not remove ${count === 1 ? 'it' : 'them'}.`,
  },
  restored: {
    signOut: (name: string, count: number) => `You are signed in to ${count === 1 ? name : servers(count)} again.`,
    remove: (name: string, count: number) => `${count === 1 ? `${name} is` : `${servers(count)} are`} back.`,
  },
  tooLate: 'Too late to undo. The deletion has started.',
  entriesNotRestored: (apps: readonly string[]) =>
    apps.length === 0
      ? ''
      : `Postern could not restore the entry in ${apps.join(', ')}. Add it again under ${integrationWords.apps}.`,
  incomplete: {
    signOut: (name: string, count: number) =>
      count === 1
        ? `The sign-in to ${name} is still on this computer.`
        : `Postern could not delete every sign-in to ${servers(count)}.`,
    remove: (name: string, count: number) =>
      count === 1
        ? `Some data of ${name} is still on this computer.`
        : `Postern could not delete all data of ${servers(count)}.`,
  },
  triesAgain: (reason: string) => `${reason} Postern tries again the next time it starts.`,
};
