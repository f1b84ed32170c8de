import type { ErrorCode } from '../error-codes.ts';
import { hostOr } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { connectStep } from './connect-step.ts';
import { changedAddress, otherwiseRemove } from './changed-address.ts';

/** On a server that is there it replaces the key, under the same name. */
const giveIt = (detail: CatalogueDetail): string =>
  detail['connect'] === undefined
    ? connectStep(detail, '--name NAME --header HEADER --header-value-stdin')
    : connectStep(detail);

export const apiKeyErrors = {
  API_KEY_REFUSED: {
    message: (detail) => `${hostOr(detail, 'The server')} refuses this API key, or what you want to do with it.`,
    nextStep: (detail) => `Check the key and the name of the header, then give it again: ${giveIt(detail)}.`,
    retryable: false,
  },
  API_KEY_MISSING: {
    message: (detail) => `The API key for ${hostOr(detail, 'this server')} is not kept here any more.`,
    nextStep: (detail) => `Give it again, with the same address and name: ${giveIt(detail)}.`,
    retryable: false,
  },
  API_KEY_ADDRESS_CHANGED: {
    message: (detail) => changedAddress('API key', detail),
    nextStep: (detail) => `If you want the new address, give its key: ${giveIt(detail)}. ${otherwiseRemove}`,
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
