import type { ErrorCode } from '../error-codes.ts';
import { hostOr } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { changedAddress, otherwiseRemove } from './changed-address.ts';

const giveItAgain =
  'Check the key and the name of the header, then connect again with --header NAME --header-value-stdin.';

export const apiKeyErrors = {
  API_KEY_REFUSED: {
    message: (detail) => `${hostOr(detail, 'The server')} refuses this API key, or what you want to do with it.`,
    nextStep: giveItAgain,
    retryable: false,
  },
  API_KEY_MISSING: {
    message: (detail) => `The API key for ${hostOr(detail, 'this server')} is not kept here any more.`,
    nextStep: 'Remove the server, then connect it again with --header NAME --header-value-stdin.',
    retryable: false,
  },
  API_KEY_ADDRESS_CHANGED: {
    message: (detail) => changedAddress('API key', detail),
    nextStep: `If you want the new address, remove the server, then connect it with --header NAME --header-value-stdin. ${otherwiseRemove}`,
    retryable: false,
  },
  API_KEY_INSTEAD: {
    message: (detail) => `${hostOr(detail, 'This server')} is used with an API key, so there is no token.`,
    nextStep: 'Use `postern tools` and `postern call`: they send the key by themselves.',
    retryable: false,
  },
  API_KEY_INVALID: {
    message: 'That cannot be the name or the value of a header for an API key.',
    nextStep:
      'Use a name such as X-API-Key or Authorization, and copy the value again: visible characters without line breaks.',
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
