import type { ErrorCode } from '../error-codes.ts';
import { advise, hostOr } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { changedAddress } from './changed-address.ts';

export const apiKeyErrors = {
  API_KEY_REFUSED: {
    message: (detail) => `${hostOr(detail, 'The server')} refuses this API key, or what you want to do with it.`,
    remedy: { kind: 'replace-key', because: 'refused' },
    retryable: false,
  },
  API_KEY_MISSING: {
    message: (detail) => `The API key for ${hostOr(detail, 'this server')} is not kept here any more.`,
    remedy: { kind: 'replace-key', because: 'missing' },
    retryable: false,
  },
  API_KEY_ADDRESS_CHANGED: {
    message: (detail) => changedAddress('API key', detail),
    remedy: { kind: 'replace-key', because: 'address-changed' },
    retryable: false,
  },
  API_KEY_INSTEAD: {
    message: (detail) => `${hostOr(detail, 'This server')} is used with an API key, so there is no token.`,
    remedy: { kind: 'use-as-it-is', with: 'key' },
    retryable: false,
  },
  API_KEY_INVALID: {
    message: 'That cannot be the name or the value of a header for an API key.',
    remedy: advise(
      'correct-key',
      'Use a name such as X-API-Key or Authorization, and copy the value again: visible characters without line breaks.',
    ),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
