import { advise, errorEntry } from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';

const appOf = ({ app = 'The app' }: Detail<'app'>): string => app;

function fileOf({ file }: Detail<'file'>, otherwise = 'The app’s file'): string {
  return file === undefined ? otherwise : `“${file.length > 160 ? `…${file.slice(-159)}` : file}”`;
}

const fixFile = advise('fix-files', 'fixFile');

type Denial = { readonly reason: 'outside' | 'not-a-file' | 'large' | 'refused' };
type Staleness = { readonly reason: 'undone' | 'no-copy' | 'changed' | 'gone' };

/** Why a file is neither read nor written. */
function whyDenied({ reason }: Detail<never, Denial>): string {
  switch (reason) {
    case 'outside':
      return 'it points outside your home folder';
    case 'not-a-file':
      return 'it is not a regular file';
    case 'large':
      return 'it is too large';
    default:
      return 'the system does not allow it';
  }
}

/** Why a change cannot be undone. */
function whyStale(detail: Detail<'file' | 'entry', Staleness>): string {
  const { entry } = detail;
  const what = entry === undefined ? 'The changed part' : `“${entry}”`;
  switch (detail.reason) {
    case 'undone':
      return 'This change was already undone.';
    case 'no-copy':
      return `The saved copy of ${fileOf(detail, 'the app’s file')} is gone or was changed.`;
    case 'changed':
      return `${what} in ${fileOf(detail, 'the app’s file')} was changed since.`;
    case 'gone':
      return `${what} is no longer in ${fileOf(detail, 'the app’s file')}.`;
    default:
      return 'Postern no longer has a record of this change.';
  }
}

/** Errors of adding entries to AI apps and removing them. */
export const appErrors = {
  APP_TRANSLOCATED: errorEntry({
    blame: 'computer',
    message: 'macOS runs Postern from a temporary folder, where AI apps can’t find it.',
    remedy: advise('go-on', 'moveToApplications'),
    retryable: true,
  }),
  APP_NOT_FOUND: errorEntry<'unknown' | 'app' | 'meant'>({
    blame: 'computer',
    traits: ['app-file'],
    message: (detail) =>
      detail.unknown === undefined
        ? `${appOf(detail)} is not installed on this computer.`
        : 'Postern knows no app with that name.',
    remedy: { kind: 'find-app' },
    retryable: false,
  }),
  APP_NAME_TAKEN: errorEntry<'app'>({
    blame: 'input',
    traits: ['app-file'],
    message: (detail) => `${appOf(detail)} already has an entry with that name.`,
    remedy: { kind: 'choose-entry-name' },
    retryable: false,
  }),
  APP_FILE_DENIED: errorEntry<'file', Denial>({
    blame: 'computer',
    traits: ['app-file-denied', 'app-file'],
    message: (detail) => `Postern did not touch ${fileOf(detail, 'the app’s file')}: ${whyDenied(detail)}.`,
    remedy: advise('fix-files', 'useRegularFile'),
    retryable: false,
  }),
  APP_FILE_DAMAGED: errorEntry<'format' | 'file'>({
    blame: 'computer',
    traits: ['app-file'],
    message: (detail) => `${fileOf(detail)} is not valid${detail.format === undefined ? '' : ` ${detail.format}`}.`,
    remedy: fixFile,
    retryable: false,
  }),
  APP_FILE_LAYOUT: errorEntry<'entry' | 'members' | 'file'>({
    blame: 'computer',
    traits: ['app-file'],
    message: (detail) =>
      detail.entry === undefined
        ? `Postern can’t safely change ${fileOf(detail, 'the app’s file')}.`
        : `“${detail.entry}” was not changed: Postern can’t carry over ${detail.members?.join(', ')}.`,
    remedy: fixFile,
    retryable: false,
  }),
  APP_FILE_CHANGED: errorEntry<'file'>({
    blame: 'computer',
    traits: ['app-file'],
    message: (detail) => `${fileOf(detail)} has changed since you reviewed it.`,
    remedy: advise('try-again', 'previewAgain'),
    retryable: true,
  }),
  APP_COMMAND_FAILED: errorEntry<'app'>({
    blame: 'computer',
    traits: ['app-command', 'app-file'],
    message: (detail) => `${appOf(detail)} did not accept the change.`,
    remedy: advise('try-again', 'tryAgainOrEditFile'),
    retryable: true,
  }),
  UNDO_TOO_LATE: errorEntry({
    blame: 'nobody',
    message: 'It is too late to undo this.',
    remedy: advise('go-on', 'connectOrCreateAgain'),
    retryable: false,
  }),
  UNDO_STALE: errorEntry<'file' | 'entry', Staleness>({
    blame: 'nobody',
    message: (detail) => `${whyStale(detail)} Nothing was undone.`,
    remedy: advise('fix-files', 'editFile'),
    retryable: false,
  }),
};

const appAtStart = ({ app = 'This app' }: Detail<'app'>): string => app;
const appOr = ({ app = 'this app' }: Detail<'app'>): string => app;
/** Only names that MCP 2025-11-25 allows: none of them can pass for Postern's own words. */
const toolOr = ({ tool = '' }: Detail<'tool'>): string =>
  /^[\w./-]{1,128}$/u.test(tool) ? `the tool “${tool}”` : 'this tool';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const serverOr = ({ name = 'this server' }: Detail<'name'>): string => name;

function holderOf({ holder, process }: Detail<'holder' | 'process'>): string {
  const which = process === undefined ? '' : ` (process ${process})`;
  if (holder === 'window') return `The Postern window${which}`;
  return holder === 'serve' ? `A Postern without a window${which}` : 'Another Postern';
}

/** Errors that stop an AI app from using a server through Postern. */
export const gatewayErrors = {
  GATEWAY_HELD: errorEntry<'holder' | 'process'>({
    blame: 'computer',
    traits: ['operation'],
    message: (detail) => `${holderOf(detail)} is already serving the apps of this profile.`,
    remedy: advise('go-on', 'useOrQuitOther'),
    retryable: false,
  }),
  GATEWAY_PORT: errorEntry<'port' | 'app' | 'process'>({
    blame: 'computer',
    traits: ['operation'],
    message: ({ port, app, process }) => {
      const which = process === undefined ? '' : ` (process ${process})`;
      const who = app === undefined ? 'another program' : `“${app}”`;
      return `${port === undefined ? 'Postern’s port' : `Port ${port}`} is in use by ${who}${which}.`;
    },
    remedy: advise('free-port', 'chooseOtherPort'),
    retryable: true,
  }),
  GATEWAY_BUSY: errorEntry({
    blame: 'computer',
    traits: ['operation'],
    message: 'Too many apps are using Postern at once.',
    remedy: advise('try-again', 'quitSome'),
    retryable: true,
  }),
  COMMAND_LOST: errorEntry({
    blame: 'nobody',
    traits: ['operation'],
    message: 'Postern was closed while it ran this command. The command may still have worked.',
    remedy: advise('go-on', 'runCommandAgain'),
    retryable: false,
  }),
  GATEWAY_PAUSED: errorEntry({
    blame: 'nobody',
    traits: ['operation', 'stopped-here', 'own-choice'],
    message: 'The user has paused all apps in Postern.',
    remedy: { kind: 'resume-apps' },
    retryable: true,
  }),
  APP_PAUSED: errorEntry<'app'>({
    blame: 'nobody',
    traits: ['operation', 'stopped-here', 'own-choice'],
    message: (detail) => `${appAtStart(detail)} is paused in Postern.`,
    remedy: { kind: 'resume-app' },
    retryable: true,
  }),
  PIPE_OUTDATED: errorEntry({
    blame: 'computer',
    traits: ['operation', 'app-connection'],
    message: 'This app is connected to another version of Postern.',
    remedy: advise('go-on', 'restartApp'),
    retryable: false,
  }),
  APP_UNKNOWN: errorEntry<'any' | 'app' | 'name'>({
    blame: 'nobody',
    traits: ['operation', 'undecided'],
    message: (detail) =>
      `${appAtStart(detail)} is not allowed to use ${detail.any === undefined ? serverOr(detail) : 'any server'}.`,
    remedy: { kind: 'allow-app' },
    retryable: false,
  }),
  APP_REVOKED: errorEntry<'app'>({
    blame: 'nobody',
    traits: ['operation', 'own-choice'],
    message: (detail) => `${appAtStart(detail)} is no longer allowed to use Postern.`,
    remedy: { kind: 'allow-app' },
    retryable: false,
  }),
  APP_SECRET_LOST: errorEntry<'app'>({
    blame: 'computer',
    traits: ['operation'],
    message: (detail) => `Postern no longer has the secret that the entries of ${appOr(detail)} use.`,
    remedy: { kind: 'allow-app', http: true },
    retryable: false,
  }),
  REVISION_UNSUPPORTED: errorEntry({
    blame: 'computer',
    traits: ['operation'],
    message: 'This server needs a newer MCP version than this app supports.',
    remedy: advise('go-on', 'askUserToUpdateApp'),
    retryable: false,
  }),
  TOOL_DENIED: errorEntry<'app' | 'tool'>({
    blame: 'nobody',
    traits: ['operation', 'own-choice'],
    message: (detail) => `The user has turned off ${toolOr(detail)} for ${appOr(detail)}.`,
    remedy: advise('go-on', 'continueWithoutOrAllow'),
    retryable: false,
  }),
  CAPABILITY_DENIED: errorEntry<'method' | 'app'>({
    blame: 'nobody',
    traits: ['operation', 'own-choice'],
    message: (detail) =>
      detail.method === undefined
        ? `The user has turned off this server’s resources or prompts for ${appOr(detail)}.`
        : `The permissions of ${appOr(detail)} for this server do not cover “${detail.method}”.`,
    remedy: advise('go-on', 'continueWithoutOrAllow'),
    retryable: false,
  }),
  TOOL_CHANGED: errorEntry<'tool'>({
    blame: 'nobody',
    traits: ['operation', 'undecided'],
    message: (detail) => `${capital(toolOr(detail))} is new or has changed. It is blocked until the user reviews it.`,
    remedy: { kind: 'review-tools' },
    retryable: false,
  }),
  MEMBER_GONE: errorEntry<'name'>({
    blame: 'nobody',
    traits: ['operation'],
    message: (detail) => `${detail.name ?? 'This server'} is no longer part of this collection.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  }),
  APPROVAL_REFUSED: errorEntry<'tool'>({
    blame: 'nobody',
    traits: ['operation', 'own-choice'],
    message: (detail) => `The user denied this call of ${toolOr(detail)}.`,
    remedy: advise('go-on', 'askUserWhatInstead'),
    retryable: false,
  }),
  APPROVAL_TIMEOUT: errorEntry<'tool'>({
    blame: 'nobody',
    traits: ['operation', 'undecided', 'not-answered'],
    message: (detail) => `The user did not answer within 45 seconds whether to allow this call of ${toolOr(detail)}.`,
    remedy: advise('go-on', 'askUserToCheck'),
    retryable: true,
  }),
  APPROVAL_IMPOSSIBLE: errorEntry<'tool'>({
    blame: 'nobody',
    traits: ['operation', 'undecided'],
    message: (detail) => `The user has to allow each call of ${toolOr(detail)} in Postern, but its window is not open.`,
    remedy: advise('go-on', 'askUserToOpen'),
    retryable: true,
  }),
  SERVER_OFFLINE: errorEntry({
    blame: 'network',
    traits: ['operation'],
    message: 'Postern can’t reach the server.',
    remedy: advise('check-connection', 'checkConnectionOrVpn'),
    retryable: true,
  }),
  SESSION_LOST: errorEntry({
    blame: 'network',
    traits: ['session-lost', 'operation'],
    message: 'The connection ended before the response arrived.',
    remedy: advise('try-again', 'checkBeforeRetrying'),
    retryable: true,
  }),
};

/** Only for docs/errors.md. */
export const appErrorCauses: Causes<typeof appErrors & typeof gatewayErrors> = {
  APP_TRANSLOCATED: 'Postern was opened from the Downloads folder or the disk image.',
  APP_NOT_FOUND: 'The app is not installed or was never started, or its name was mistyped.',
  APP_NAME_TAKEN: 'The app already has an entry with that name that does not belong to Postern.',
  APP_FILE_DENIED:
    'The file belongs to another user or is read-only, is a link that points outside your home folder, is not a regular file, or is too large.',
  APP_FILE_DAMAGED: 'The file was edited by hand and has a syntax error, such as a missing comma or bracket.',
  APP_FILE_LAYOUT: 'The file has a valid but unusual layout, or the entry has fields that Postern would have to drop.',
  APP_FILE_CHANGED:
    'The app, an editor or another Postern wrote to the file between the preview and your confirmation.',
  APP_COMMAND_FAILED:
    'The app’s own command is too old, its configuration is invalid, or the app is writing to the file right now.',
  UNDO_TOO_LATE: 'The time to undo has passed: ten seconds, or an hour for a collection.',
  UNDO_STALE: 'The file was changed since, the change was already undone, or its copy is gone.',
  GATEWAY_HELD: 'A window or `postern serve` is already running for this profile.',
  GATEWAY_PORT: 'Another program, or a Postern of another profile, uses the same port.',
  GATEWAY_BUSY: 'Many apps or many sessions of one app are open, each with several servers.',
  COMMAND_LOST: 'The window or `postern serve` that ran the command for you was closed or has crashed.',
  GATEWAY_PAUSED: 'You paused all apps in the tray, in the window or with `appsPaused`.',
  APP_PAUSED: 'You paused this app in the window or with `pausedApps`.',
  PIPE_OUTDATED: 'Postern was updated while the app was running.',
  APP_UNKNOWN:
    'The app’s entry was written by hand, copied from another computer, or left over after you removed the server from the app.',
  APP_REVOKED: 'You revoked the app’s access, but its configuration still has entries for Postern.',
  APP_SECRET_LOST: 'The vault or its key was deleted or replaced, but the app’s file still has the old secret.',
  REVISION_UNSUPPORTED: 'The app is older than the server.',
  TOOL_DENIED: 'The tool is denied under _Permissions_, for this app or for all.',
  CAPABILITY_DENIED: 'Resources or prompts are turned off for this app under _Permissions_.',
  TOOL_CHANGED: 'The server was updated, and changed tools are blocked until you review them.',
  MEMBER_GONE: 'The collection was changed while the app had it open.',
  APPROVAL_REFUSED: 'You chose Deny when Postern asked.',
  APPROVAL_TIMEOUT: 'The question was overlooked, or nobody was at the computer.',
  APPROVAL_IMPOSSIBLE: 'A tool is set to Ask, and Postern runs as `postern serve`, where it can’t ask.',
  SERVER_OFFLINE: 'The server is down, or this computer is offline.',
  SESSION_LOST: 'The network changed, the computer slept, or the server was restarted.',
};
