import type { errorCatalogue, ErrorCode } from '../error-codes.ts';
import type { Remedy } from '../remedy.ts';
import { fillGaps } from './catalogue-entry.ts';
import type { CatalogueDetail } from '../error-detail.ts';
import { addressErrors } from '../words/de/address-errors.ts';
import { adviceWords, storageWords, waitingWords } from './german/advice-words.ts';
import { callErrors, localErrors } from '../words/de/call-errors.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from '../words/de/connection-errors.ts';
import { discoveryErrors } from '../words/de/discovery-errors.ts';
import type { GermanOf } from '../words/de/german-entry.ts';
import { networkErrors } from '../words/de/network-errors.ts';
import { appErrors, gatewayErrors, programErrors } from '../words/de/program-errors.ts';
import { assertionErrors, identityErrors, signInErrors, tokenErrors } from '../words/de/sign-in-errors.ts';
import { keyringErrors, storageErrors } from '../words/de/storage-errors.ts';

const messages: GermanOf<typeof errorCatalogue> = {
  ...addressErrors,
  ...networkErrors,
  ...discoveryErrors,
  ...signInErrors,
  ...tokenErrors,
  ...assertionErrors,
  ...identityErrors,
  ...connectionErrors,
  ...callErrors,
  ...apiKeyErrors,
  ...gatewayErrors,
  ...localErrors,
  ...storageErrors,
  ...keyringErrors,
  ...programErrors,
  ...registryErrors,
  ...appErrors,
};

const steps: Readonly<Record<string, string | undefined>> = { ...adviceWords, ...waitingWords, ...storageWords };

/** What happened, in German: the sentence of `describeError` in the window of somebody who speaks it. */
export function describeInGerman(code: ErrorCode, detail: CatalogueDetail): string {
  const message: string | ((detail: CatalogueDetail) => string) = messages[code];
  return typeof message === 'function' ? message(detail) : message;
}

/** A step that every surface says alike, in German; one that is not known here stays as it is. */
export function adviseInGerman(remedy: Advising): string {
  const gaps = 'gaps' in remedy ? remedy.gaps : undefined;
  const sentence = steps[gaps?.sentence ?? remedy.advice];
  return sentence === undefined ? remedy.advice : fillGaps(sentence, gaps?.values ?? {});
}

type Advising = Extract<Remedy, { readonly advice: string }>;
