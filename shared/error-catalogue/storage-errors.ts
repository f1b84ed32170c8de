import type { ErrorCode } from '../error-codes.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';

const file = (detail: CatalogueDetail, otherwise: string): string => String(detail['file'] ?? otherwise);

/** A pipe, a device or a folder stands where a file should be. */
const isNoFile = (detail: CatalogueDetail): boolean => detail['reason'] === 'not-a-file';

export const storageErrors = {
  KC_UNAVAILABLE: {
    message: (detail) =>
      detail['from'] === undefined
        ? 'This computer has no usable keychain, so your sign-in could not be kept safely.'
        : `Your sign-ins were sealed with another keychain (${detail['from']}); this computer uses ${detail['to']}.`,
    nextStep: (detail) =>
      detail['from'] === undefined
        ? `Set up a keychain (on Linux gnome-keyring or KWallet; the README says how without a desktop), or try once without keeping anything: ${connectStep(detail, '--memory')}.`
        : 'Use them where they were made, or move the file "vault" out of the profile folder and sign in again.',
    retryable: false,
  },
  KC_LOCKED: {
    message: (detail) =>
      detail['file'] === undefined
        ? 'Your keychain is locked.'
        : 'Your keychain is locked, or it does not hold the key to the sign-ins that are kept here.',
    nextStep: (detail) => {
      const unlock =
        'Unlock it (on Linux by logging in to the desktop, or with Seahorse or KWallet; the README says how without a desktop), then try again.';
      if (detail['file'] === undefined) return unlock;
      return `${unlock} If these sign-ins came from elsewhere, move the file "${detail['file']}" out of the profile folder and sign in again.`;
    },
    retryable: true,
  },
  KC_DENIED: {
    message: 'Access to your keychain was refused.',
    nextStep: 'Try again, and allow Postern to use it when the system asks.',
    retryable: true,
  },
  KC_TIMEOUT: {
    message: 'Your keychain did not answer in time. It may be waiting for you to unlock it.',
    nextStep: 'Look for a window that asks for your password, then try again.',
    retryable: true,
  },
  KC_TOO_LARGE: {
    message: 'Your keychain refused an entry because of its size.',
    nextStep: 'Report this; Postern keeps only a short key there.',
    retryable: false,
  },
  KC_CORRUPT: {
    message: 'A saved sign-in cannot be read: it was changed, or the key in your keychain is another one.',
    nextStep: 'Sign in to this server again.',
    retryable: false,
  },
  KC_WRITE_UNVERIFIED: {
    message: 'Your sign-in was saved, but reading it back gave something else.',
    nextStep: 'Check the disk and your keychain with `postern doctor`, then sign in again.',
    retryable: true,
  },
  CFG_CORRUPT: {
    message: 'The settings file was damaged.',
    nextStep: (detail) =>
      `A copy was kept as ${file(detail, 'a file beside it')}; missing servers have to be connected again.`,
    retryable: false,
  },
  CFG_NEWER: {
    message: 'Your settings come from a newer version of Postern. Nothing was changed.',
    nextStep: 'Use the newer version, or another folder (POSTERN_HOME).',
    retryable: false,
  },
  CFG_DISK_FULL: {
    message: 'The disk is full. The last change was not saved; what was there before is intact.',
    nextStep: 'Free some space, then try again.',
    retryable: true,
  },
  CFG_READONLY: {
    message: (detail) =>
      isNoFile(detail)
        ? `"${file(detail, 'A file')}" in the profile folder is not an ordinary file.`
        : `Postern may not write to ${file(detail, 'its folder')}.`,
    nextStep: (detail) =>
      isNoFile(detail)
        ? 'Move it out of that folder, then try again; or choose another folder (POSTERN_HOME).'
        : 'Check the owner and the rights of that folder, or choose another one (POSTERN_HOME).',
    retryable: false,
  },
  CFG_CONFLICT: {
    message: 'Another Postern is changing the same data and does not finish.',
    nextStep: 'Wait for it or end it, then try again.',
    retryable: true,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
