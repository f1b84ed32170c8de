import { mostGroups, mostPlaced } from '../bounds.ts';
import { mostCollections, mostMembers } from '../entry-name.ts';
import { advise, dayOf, errorEntry } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';

/** For the list of an AI program, where an exported one was asked for. */
export const renameOtherCollection = advise('try-again', 'renameOtherCollection');
export const pasteList = advise('try-again', 'pasteList');

function namedCandidates({ count = 0, candidates = [] }: Detail<'count' | 'candidates'>): string {
  const more = count - candidates.length;
  return candidates.length === 0
    ? ''
    : ` They are ${[...candidates, ...(more > 0 ? [`${more} more`] : [])].join(', ')}.`;
}

export const appErrors = {
  IPC_SENDER: errorEntry({
    blame: 'computer',
    message: 'A page that may not do so tried to use Postern. It was refused.',
    remedy: advise('go-on', 'closePage'),
    retryable: false,
  }),
  IPC_SCHEMA: errorEntry({
    blame: 'computer',
    message: 'A window of Postern sent something that is not understood.',
    remedy: advise('report', 'restartPosternOrReport'),
    retryable: false,
  }),
  NAV_BLOCKED: errorEntry({
    blame: 'answer',
    message: 'The sign-in page wanted to lead to an address that is not a safe web link. It was not opened.',
    remedy: advise('go-on', 'goOnWithSignIn'),
    retryable: false,
  }),
  UPD_SIGNATURE: errorEntry({
    blame: 'answer',
    message: 'The update could not be verified, so it was not installed.',
    remedy: advise('wait', 'getNewVersionElsewhere'),
    retryable: true,
  }),
  UPD_DOWNGRADE: errorEntry({
    blame: 'answer',
    message: 'The update is older than this version, so it was not installed.',
    remedy: advise('go-on', 'newerInstalled'),
    retryable: false,
  }),
  UPD_FAILED: errorEntry({
    blame: 'network',
    message: 'Looking for a newer version, or downloading it, did not work.',
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
    about: ['operation', 'stopped-here'],
    message: (detail) =>
      (detail.count ?? 0) > 1
        ? `${detail.count} servers match that.${namedCandidates(detail)}`
        : detail.collection !== undefined
          ? `There is no collection “${detail.collection}” any more.`
          : `There is no connected server with ${detail.reference === undefined ? 'that id or name' : `the id or name “${detail.reference}”`}.`,
    remedy: { kind: 'find-name' },
    retryable: false,
  }),
  NAME_TAKEN: errorEntry<'collection' | 'name' | 'place'>({
    blame: 'input',
    message: (detail) =>
      detail.collection !== undefined
        ? `Another collection is called “${detail.collection}”.`
        : detail.name === undefined
          ? 'That name belongs to another connection.'
          : `The name "${detail.name}" belongs to another connection (${detail.place ?? 'of another server'}).`,
    remedy: { kind: 'choose-name' },
    retryable: false,
  }),
  NAME_INVALID: errorEntry({
    blame: 'input',
    message:
      'A name needs something that can be shown, begins with neither “-” nor “+”, and has at most 80 characters.',
    remedy: { kind: 'choose-name' },
    retryable: false,
  }),
  LIST_UNREADABLE: errorEntry<'unread' | 'ofPrograms'>({
    blame: 'input',
    message: (detail) =>
      detail.unread !== undefined
        ? `${detail.unread === 1 ? 'One entry' : `${detail.unread} entries`} of this list could not be read, or not completely. The others were imported.`
        : detail.ofPrograms === undefined
          ? 'This is not a list of servers that Postern can read.'
          : 'This is a list of servers for AI programs, not one that Postern has exported.',
    remedy: advise('try-again', 'pasteWholeFile'),
    retryable: false,
  }),
  COLLECTIONS_FULL: errorEntry({
    blame: 'input',
    message: `There can be ${mostCollections} collections, of ${mostMembers} servers each.`,
    remedy: advise('try-again', 'removeCollection'),
    retryable: false,
  }),
  SIDE_BAR_FULL: errorEntry({
    blame: 'input',
    // Only when it is said: the first number that is written out loads the languages of Node, 23 ms of every start.
    message: () =>
      `The side bar has no room for that: ${mostGroups} groups, and ${mostPlaced.toLocaleString('en')} servers pinned or in one group, are the most. Nothing was changed.`,
    remedy: advise('try-again', 'dissolveGroup'),
    retryable: false,
  }),
  OUTPUT_FAILED: errorEntry<'file' | 'reason'>({
    blame: 'computer',
    message: (detail) =>
      `What the server answered could not be written to ${detail.file ?? 'that file'}${detail.reason === undefined ? '' : ` (${detail.reason})`}. A tool may have done its work all the same.`,
    remedy: advise('mend-files', 'nameAnotherFile'),
    retryable: false,
  }),
  USAGE: errorEntry<'problem'>({
    blame: 'input',
    message: (detail) => detail.problem ?? 'This command is not understood.',
    remedy: { kind: 'correct-input' },
    retryable: false,
  }),
  INTERNAL: errorEntry({
    blame: 'computer',
    about: ['operation', 'bug'],
    message: 'Something went wrong inside Postern.',
    remedy: advise('report', 'tryAgainOrReport'),
    retryable: false,
  }),
};
