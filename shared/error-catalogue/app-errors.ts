import type { ErrorCode } from '../error-codes.ts';
import { dayOf } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';

export const appErrors = {
  IPC_SENDER: {
    message: 'A page that may not do so tried to use Postern. It was refused.',
    nextStep: 'Close the page. If it was a window of Postern itself, restart Postern.',
    retryable: false,
  },
  IPC_SCHEMA: {
    message: 'A window of Postern sent something that is not understood.',
    nextStep: 'Restart Postern. If it happens again, report it.',
    retryable: false,
  },
  NAV_BLOCKED: {
    message: 'The sign-in page wanted to lead to an address that is not a safe web link. It was not opened.',
    nextStep: 'Go on with the sign-in. If that is not possible and you trust the service, use your own browser.',
    retryable: false,
  },
  UPD_SIGNATURE: {
    message: 'The update could not be verified, so it was not installed.',
    nextStep: 'Try again later, or get the new version from the place where you got this one.',
    retryable: true,
  },
  UPD_DOWNGRADE: {
    message: 'The update is older than this version, so it was not installed.',
    nextStep: 'Nothing to do: you have the newer one.',
    retryable: false,
  },
  UPD_FAILED: {
    message: 'Looking for a newer version, or downloading it, did not work.',
    nextStep: 'Check your internet connection, then try again.',
    retryable: true,
  },
  CLOCK_WRONG: {
    message: (detail) => `The clock of this computer cannot be right: it says ${dayOf(detail['moment'])}.`,
    nextStep: 'Set date and time, best automatically. Certificates and sign-ins are judged by it.',
    retryable: false,
  },
  NOT_FOUND: {
    message: (detail) =>
      Number(detail['count'] ?? 0) > 1
        ? `${detail['count']} servers have that name.`
        : 'There is no connected server with that id or name.',
    nextStep: 'See `postern list` for the ids.',
    retryable: false,
  },
  NAME_TAKEN: {
    message: (detail) =>
      detail['name'] === undefined
        ? 'That name belongs to another connection.'
        : `The name "${detail['name']}" belongs to another connection (${detail['place'] ?? 'of another server'}).`,
    nextStep: (detail) =>
      `Connect it with another --name. Or let it take this one, and remove the other connection: ${connectStep(detail, '--replace')}.`,
    retryable: false,
  },
  USAGE: {
    message: (detail) =>
      detail['problem'] === undefined ? 'This command is not understood.' : String(detail['problem']),
    nextStep: (detail) => (detail['remedy'] === undefined ? 'See `postern --help`.' : String(detail['remedy'])),
    retryable: false,
  },
  INTERNAL: {
    message: 'Something went wrong inside Postern.',
    nextStep: 'Try again. If it happens again, report it with the last lines of the log in the logs folder.',
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
