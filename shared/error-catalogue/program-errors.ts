import type { ErrorCode } from '../error-codes.ts';
import { advise, textOf, type CatalogueDetail, type CatalogueEntry } from './catalogue-entry.ts';

function programOf(detail: CatalogueDetail): string {
  return textOf(detail, 'program') ?? 'The program';
}

function fileOf(detail: CatalogueDetail): string {
  const file = textOf(detail, 'file');
  return file === undefined ? 'The file of the program' : `"${file.length > 160 ? `…${file.slice(-159)}` : file}"`;
}

const mendIt = advise('mend-files', 'Fix the file, then try again. Nothing was changed.');

/** Why a file is neither read nor written. */
function whyDenied({ reason }: CatalogueDetail): string {
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
function whyStale(detail: CatalogueDetail): string {
  const entry = textOf(detail, 'entry');
  const what = entry === undefined ? 'What that change wrote' : `“${entry}”`;
  switch (detail['reason']) {
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
  APP_TRANSLOCATED: {
    message: 'macOS runs this Postern from a temporary place, so no program can find it again.',
    remedy: advise('go-on', 'Move Postern to the Applications folder, open it there, and try again.'),
    retryable: true,
  },
  PROGRAM_NOT_FOUND: {
    message: (detail) =>
      detail['unknown'] === undefined
        ? `${programOf(detail)} is not installed here.`
        : 'Postern knows no program of that name.',
    remedy: { kind: 'find-program' },
    retryable: false,
  },
  PROGRAM_NAME_TAKEN: {
    message: (detail) => `${programOf(detail)} has an entry with that name already.`,
    remedy: { kind: 'choose-entry-name' },
    retryable: false,
  },
  PROGRAM_FILE_DENIED: {
    message: (detail) => `${fileOf(detail)} is left alone: ${whyDenied(detail)}.`,
    remedy: advise('mend-files', 'Put an ordinary file there that you may write to, then try again.'),
    retryable: false,
  },
  PROGRAM_FILE_DAMAGED: {
    message: (detail) => `${fileOf(detail)} is not valid ${textOf(detail, 'format') ?? 'in its format'}.`,
    remedy: mendIt,
    retryable: false,
  },
  PROGRAM_FILE_LAYOUT: {
    message: (detail) =>
      detail['entry'] === undefined
        ? `${fileOf(detail)} cannot be changed safely.`
        : `“${textOf(detail, 'entry')}” stays as it is: Postern cannot read its list of tools (${textOf(detail, 'members')}).`,
    remedy: mendIt,
    retryable: false,
  },
  PROGRAM_FILE_CHANGED: {
    message: (detail) => `${fileOf(detail)} has changed since it was looked at.`,
    remedy: advise('try-again', 'Look at the preview again, then try again. Nothing was changed.'),
    retryable: true,
  },
  PROGRAM_COMMAND_FAILED: {
    message: (detail) => `${programOf(detail)} did not take it.`,
    remedy: advise('try-again', 'Try again, or change its configuration yourself.'),
    retryable: true,
  },
  UNDO_STALE: {
    message: (detail) => `${whyStale(detail)} Nothing was undone.`,
    remedy: advise('mend-files', 'Change the file by hand.'),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
