import { maxGroups, maxPlacedServers } from '../bounds.ts';
import { maxCollections, maxCollectionMembers } from '../entry-name.ts';
import { advise, dayOf, errorEntry } from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';

export const renameOtherCollection = advise('try-again', 'renameOtherCollection');
/** The remedy for an AI app's server list in place of an exported one. */
export const pasteList = advise('try-again', 'pasteList');

function namedCandidates({ count = 0, candidates = [] }: Detail<'count' | 'candidates'>): string {
  const more = count - candidates.length;
  return candidates.length === 0
    ? ''
    : ` They are ${[...candidates, ...(more > 0 ? [`${more} more`] : [])].join(', ')}.`;
}

export const posternErrors = {
  IPC_SENDER: errorEntry({
    blame: 'computer',
    message: 'Postern blocked a request from an untrusted page.',
    remedy: advise('go-on', 'closePage'),
    retryable: false,
  }),
  IPC_SCHEMA: errorEntry({
    blame: 'computer',
    message: 'A Postern window sent an invalid request.',
    remedy: advise('report', 'restartPosternOrReport'),
    retryable: false,
  }),
  NAV_BLOCKED: errorEntry({
    blame: 'answer',
    message: 'The sign-in page tried to open an address that is not a safe web link. Postern did not open it.',
    remedy: advise('go-on', 'continueSignIn'),
    retryable: false,
  }),
  UPD_SIGNATURE: errorEntry({
    blame: 'answer',
    message: 'Postern could not verify the update, so it did not install it.',
    remedy: advise('wait', 'getNewVersionElsewhere'),
    retryable: true,
  }),
  UPD_DOWNGRADE: errorEntry({
    blame: 'answer',
    message: 'The update is older than this version, so Postern did not install it.',
    remedy: advise('go-on', 'newerInstalled'),
    retryable: false,
  }),
  UPD_FAILED: errorEntry({
    blame: 'network',
    message: 'Postern could not check for a new version or download it.',
    remedy: advise('check-connection', 'checkConnectionTryAgain'),
    retryable: true,
  }),
  CLOCK_WRONG: errorEntry<'moment'>({
    blame: 'computer',
    message: ({ moment }) =>
      `This computer’s clock looks wrong${moment === undefined ? '' : `: it says ${dayOf(moment)}`}.`,
    remedy: advise('check-clock', 'setClock'),
    retryable: false,
  }),
  NOT_FOUND: errorEntry<'count' | 'candidates' | 'collection' | 'reference' | 'meant'>({
    blame: 'input',
    traits: ['operation', 'stopped-here'],
    message: (detail) =>
      (detail.count ?? 0) > 1
        ? `${detail.count} servers match that.${namedCandidates(detail)}`
        : detail.collection !== undefined
          ? `The collection “${detail.collection}” no longer exists.`
          : `No connected server has ${detail.reference === undefined ? 'that ID or name' : `the ID or name “${detail.reference}”`}.`,
    remedy: { kind: 'find-name' },
    retryable: false,
  }),
  NAME_TAKEN: errorEntry<'collection' | 'name' | 'place'>({
    blame: 'input',
    message: (detail) =>
      detail.collection !== undefined
        ? `Another collection is already called “${detail.collection}”.`
        : detail.name === undefined
          ? 'Another server already has that name.'
          : `Another server${detail.place === undefined ? '' : ` (${detail.place})`} is already called “${detail.name}”.`,
    remedy: { kind: 'choose-name' },
    retryable: false,
  }),
  NAME_INVALID: errorEntry({
    blame: 'input',
    message: 'A name must contain a visible character, have at most 80 characters, and not start with “-” or “+”.',
    remedy: advise('go-on', 'chooseAnotherName'),
    retryable: false,
  }),
  LIST_UNREADABLE: errorEntry<'unreadable' | 'ofApps'>({
    blame: 'input',
    message: (detail) =>
      detail.unreadable !== undefined
        ? `Postern could not fully read ${detail.unreadable === 1 ? 'one entry' : `${detail.unreadable} entries`} of this list. It imported the others.`
        : detail.ofApps === undefined
          ? 'Postern can’t read this server list.'
          : 'This is the server list of an AI app, not a list exported from Postern.',
    remedy: advise('try-again', 'pasteWholeFile'),
    retryable: false,
  }),
  COLLECTIONS_FULL: errorEntry({
    blame: 'input',
    message: `You can have up to ${maxCollections} collections, with up to ${maxCollectionMembers} servers each.`,
    remedy: advise('try-again', 'removeCollection'),
    retryable: false,
  }),
  SIDE_BAR_FULL: errorEntry({
    blame: 'input',
    // A function, because the first `toLocaleString` loads Node's languages: 23 ms at startup.
    message: () =>
      `The sidebar is full. It holds up to ${maxGroups} groups and up to ${maxPlacedServers.toLocaleString('en')} pinned servers or servers in one group. Nothing was changed.`,
    remedy: advise('try-again', 'dissolveGroup'),
    retryable: false,
  }),
  OUTPUT_FAILED: errorEntry<'file' | 'reason'>({
    blame: 'computer',
    message: (detail) =>
      `Postern got the result but could not write it to ${detail.file ?? 'the file'}${detail.reason === undefined ? '' : ` (${detail.reason})`}.`,
    remedy: advise('fix-files', 'chooseAnotherFile'),
    retryable: false,
  }),
  USAGE: errorEntry<'problem'>({
    blame: 'input',
    message: (detail) => detail.problem ?? 'Postern does not understand this command.',
    remedy: { kind: 'correct-input' },
    retryable: false,
  }),
  INTERNAL: errorEntry({
    blame: 'computer',
    traits: ['operation', 'bug'],
    message: 'Something went wrong inside Postern.',
    remedy: advise('report', 'tryAgainOrReport'),
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const posternErrorCauses: Causes<typeof posternErrors> = {
  IPC_SENDER: 'A page that tried to use Postern’s own functions.',
  IPC_SCHEMA: 'A bug in Postern, or files of two versions after an interrupted update.',
  NAV_BLOCKED: 'The page links to an app on your computer, or to a file.',
  UPD_SIGNATURE: 'An incomplete download, a build from somebody else, or an attack.',
  UPD_DOWNGRADE: 'A release was withdrawn, or the update server is out of date.',
  UPD_FAILED: 'No internet connection, a firewall, or an outage of the update server.',
  CLOCK_WRONG: 'An empty battery, a restored virtual machine, or a clock that was set by hand.',
  NOT_FOUND: 'A misspelled name, a server that was removed, or a name that several servers match.',
  NAME_TAKEN: 'You connected this server before, or another one with the same name.',
  NAME_INVALID: 'An empty or very long name, or one that starts like an option or a collection.',
  LIST_UNREADABLE: 'Only part of the list was pasted, or the text is not JSON.',
  COLLECTIONS_FULL: 'The limit for collections, or for the servers in one of them, is reached.',
  SIDE_BAR_FULL: 'The limit for groups or pinned servers is reached.',
  OUTPUT_FAILED: 'The folder does not exist or is read-only, or the disk is full.',
  USAGE: 'A misspelled command or option, or a missing value.',
  INTERNAL: 'A bug in Postern.',
};
