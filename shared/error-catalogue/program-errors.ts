import { advise, errorEntry } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';

const programOf = ({ program = 'The program' }: Detail<'program'>): string => program;

function fileOf({ file }: Detail<'file'>): string {
  return file === undefined ? 'The file of the program' : `"${file.length > 160 ? `…${file.slice(-159)}` : file}"`;
}

const mendIt = advise('mend-files', 'fixFile');

type Denial = { readonly reason: 'outside' | 'not-a-file' | 'large' | 'refused' };
type Staleness = { readonly reason: 'undone' | 'no-copy' | 'changed' | 'gone' };

/** Why a file is neither read nor written. */
function whyDenied({ reason }: Detail<never, Denial>): string {
  switch (reason) {
    case 'outside':
      return 'it leads out of your home folder';
    case 'not-a-file':
      return 'it is not an ordinary file';
    case 'large':
      return 'it is larger than such a file ever is';
    default:
      return 'this computer does not allow it';
  }
}

/** Why a change cannot be taken back. */
function whyStale(detail: Detail<'file' | 'entry', Staleness>): string {
  const { entry } = detail;
  const what = entry === undefined ? 'What that change wrote' : `“${entry}”`;
  switch (detail.reason) {
    case 'undone':
      return 'That change has already been taken back.';
    case 'no-copy':
      return `The copy of ${fileOf(detail)} that was kept is gone, or somebody has changed it.`;
    case 'changed':
      return `${what} in ${fileOf(detail)} has been changed since.`;
    case 'gone':
      return `${what} is no longer in ${fileOf(detail)}.`;
    default:
      return 'Postern no longer keeps that change.';
  }
}

/** Adding entries to other programs, and taking them out. */
export const programErrors = {
  APP_TRANSLOCATED: errorEntry({
    blame: 'computer',
    message: 'macOS runs this Postern from a temporary place, so no program can find it again.',
    remedy: advise('go-on', 'moveToApplications'),
    retryable: true,
  }),
  PROGRAM_NOT_FOUND: errorEntry<'unknown' | 'program'>({
    blame: 'computer',
    about: ['app-file'],
    message: (detail) =>
      detail.unknown === undefined
        ? `${programOf(detail)} is not installed here.`
        : 'Postern knows no program of that name.',
    remedy: { kind: 'find-program' },
    retryable: false,
  }),
  PROGRAM_NAME_TAKEN: errorEntry<'program'>({
    blame: 'input',
    about: ['app-file'],
    message: (detail) => `${programOf(detail)} has an entry with that name already.`,
    remedy: { kind: 'choose-entry-name' },
    retryable: false,
  }),
  PROGRAM_FILE_DENIED: errorEntry<'file', Denial>({
    blame: 'computer',
    about: ['app-file-denied', 'app-file'],
    message: (detail) => `${fileOf(detail)} is left alone: ${whyDenied(detail)}.`,
    remedy: advise('mend-files', 'putOrdinaryFile'),
    retryable: false,
  }),
  PROGRAM_FILE_DAMAGED: errorEntry<'format' | 'file'>({
    blame: 'computer',
    about: ['app-file'],
    message: (detail) => `${fileOf(detail)} is not valid ${detail.format ?? 'in its format'}.`,
    remedy: mendIt,
    retryable: false,
  }),
  PROGRAM_FILE_LAYOUT: errorEntry<'entry' | 'members' | 'file'>({
    blame: 'computer',
    about: ['app-file'],
    message: (detail) =>
      detail.entry === undefined
        ? `${fileOf(detail)} cannot be changed safely.`
        : `“${detail.entry}” stays as it is: Postern cannot carry over ${detail.members?.join(', ')}.`,
    remedy: mendIt,
    retryable: false,
  }),
  PROGRAM_FILE_CHANGED: errorEntry<'file'>({
    blame: 'computer',
    about: ['app-file'],
    message: (detail) => `${fileOf(detail)} has changed since it was looked at.`,
    remedy: advise('try-again', 'previewAgain'),
    retryable: true,
  }),
  PROGRAM_COMMAND_FAILED: errorEntry<'program'>({
    blame: 'computer',
    about: ['app-command', 'app-file'],
    message: (detail) => `${programOf(detail)} did not take it.`,
    remedy: advise('try-again', 'tryAgainOrChangeByHand'),
    retryable: true,
  }),
  UNDO_TOO_LATE: errorEntry({
    blame: 'nobody',
    message: 'It is too late to undo that.',
    remedy: advise('go-on', 'makeItAgain'),
    retryable: false,
  }),
  UNDO_STALE: errorEntry<'file' | 'entry', Staleness>({
    blame: 'nobody',
    message: (detail) => `${whyStale(detail)} Nothing was undone.`,
    remedy: advise('mend-files', 'changeByHand'),
    retryable: false,
  }),
};

const programOr = ({ program = 'This app' }: Detail<'program'>): string => program;
const appOr = ({ program = 'this app' }: Detail<'program'>): string => program;
/** A tool name as MCP 2025-11-25 allows it says nothing that could be read as ours. */
const toolOr = ({ tool = '' }: Detail<'tool'>): string =>
  /^[\w./-]{1,128}$/u.test(tool) ? `the tool “${tool}”` : 'this tool';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const serverOr = ({ name = 'this server' }: Detail<'name'>): string => name;

function holderOf({ holder, process }: Detail<'holder' | 'process'>): string {
  const which = process === undefined ? '' : ` (process ${process})`;
  if (holder === 'window') return `The Postern with the window${which}`;
  return holder === 'serve' ? `A Postern without a window${which}` : 'Another Postern';
}

/** What keeps a program from using a server through Postern. */
export const gatewayErrors = {
  GATEWAY_HELD: errorEntry<'holder' | 'process'>({
    blame: 'computer',
    about: ['operation'],
    message: (detail) => `${holderOf(detail)} serves the programs of this profile.`,
    remedy: advise('go-on', 'useOrEndOther'),
    retryable: false,
  }),
  GATEWAY_PORT: errorEntry<'port' | 'program' | 'process'>({
    blame: 'computer',
    about: ['operation'],
    message: ({ port, program, process }) => {
      const which = process === undefined ? '' : ` (process ${process})`;
      const who = program === undefined ? 'another program' : `“${program}”`;
      return `${port === undefined ? 'The port of Postern' : `Port ${port}`} is used by ${who}${which}.`;
    },
    remedy: advise('free-port', 'chooseOtherPort'),
    retryable: true,
  }),
  GATEWAY_BUSY: errorEntry({
    blame: 'computer',
    about: ['operation'],
    message: 'Too many programs use Postern at once.',
    remedy: advise('try-again', 'closeSome'),
    retryable: true,
  }),
  COMMAND_LOST: errorEntry({
    blame: 'nobody',
    about: ['operation'],
    message: 'Postern was closed while it ran this command, which may have done its work all the same.',
    remedy: advise('go-on', 'runCommandAgain'),
    retryable: false,
  }),
  GATEWAY_PAUSED: errorEntry({
    blame: 'nobody',
    about: ['operation', 'stopped-here'],
    message: 'The person has paused all programs in Postern.',
    remedy: { kind: 'resume-programs' },
    retryable: true,
  }),
  PROGRAM_PAUSED: errorEntry<'program'>({
    blame: 'nobody',
    about: ['operation', 'stopped-here'],
    message: (detail) => `${programOr(detail)} has been paused in Postern.`,
    remedy: { kind: 'resume-program' },
    retryable: true,
  }),
  PIPE_OUTDATED: errorEntry({
    blame: 'computer',
    about: ['operation', 'app-connection'],
    message: 'This entry belongs to another version of Postern.',
    remedy: advise('go-on', 'restartProgram'),
    retryable: false,
  }),
  PROGRAM_UNKNOWN: errorEntry<'any' | 'program' | 'name'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) =>
      `${programOr(detail)} has not been allowed to use ${detail.any === undefined ? serverOr(detail) : 'any server'}.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  }),
  PROGRAM_REVOKED: errorEntry<'program'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `${programOr(detail)} may not use Postern any more.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  }),
  PROGRAM_SECRET_LOST: errorEntry<'program'>({
    blame: 'computer',
    about: ['operation'],
    message: (detail) => `Postern no longer has the secret that the entries of ${programOr(detail)} hold.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  }),
  ERA_UNSUPPORTED: errorEntry({
    blame: 'computer',
    about: ['operation'],
    message: 'This server speaks a newer MCP than this program.',
    remedy: advise('go-on', 'askUserToUpdateApp'),
    retryable: false,
  }),
  TOOL_DENIED: errorEntry<'program' | 'tool'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `The user has turned off ${toolOr(detail)} for ${appOr(detail)}.`,
    remedy: advise('go-on', 'goOnWithoutOrAllow'),
    retryable: false,
  }),
  OFFER_DENIED: errorEntry<'method' | 'program'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) =>
      detail.method === undefined
        ? `The user has turned off resources or prompts of this server for ${appOr(detail)}.`
        : `Access to this server is limited for ${appOr(detail)}, and no permission covers "${detail.method}".`,
    remedy: advise('go-on', 'goOnWithoutOrAllow'),
    retryable: false,
  }),
  TOOL_CHANGED: errorEntry<'tool'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `${capital(toolOr(detail))} is new or has changed, and is blocked until the user reviews it.`,
    remedy: { kind: 'review-tools' },
    retryable: false,
  }),
  MEMBER_GONE: errorEntry<'name'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `${serverOr(detail)} is no longer part of this collection.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  }),
  APPROVAL_REFUSED: errorEntry<'tool'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `The user denied this call of ${toolOr(detail)}.`,
    remedy: advise('go-on', 'askUserWhatInstead'),
    retryable: false,
  }),
  APPROVAL_TIMEOUT: errorEntry<'tool'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) =>
      `Postern asked the user to allow this call of ${toolOr(detail)}, and got no answer within 45 seconds.`,
    remedy: advise('go-on', 'askUserToLook'),
    retryable: true,
  }),
  APPROVAL_IMPOSSIBLE: errorEntry<'tool'>({
    blame: 'nobody',
    about: ['operation'],
    message: (detail) => `Each call of ${toolOr(detail)} has to be allowed in the Postern window, which is not open.`,
    remedy: advise('go-on', 'askUserToOpen'),
    retryable: true,
  }),
  SERVER_OFFLINE: errorEntry({
    blame: 'network',
    about: ['operation'],
    message: 'The server cannot be reached.',
    remedy: advise('check-connection', 'checkProxyConnection'),
    retryable: true,
  }),
  SESSION_LOST: errorEntry({
    blame: 'network',
    about: ['session-lost', 'operation'],
    message: 'The connection ended before this was answered.',
    remedy: advise('try-again', 'lookBeforeAskingAgain'),
    retryable: true,
  }),
};
