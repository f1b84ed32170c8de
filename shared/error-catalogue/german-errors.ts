import type { ErrorCode } from '../error-codes.ts';
import { fillGaps } from './catalogue-entry.ts';
import type { CatalogueDetail } from './catalogue-entry.ts';
import { addressErrors } from './german/address-errors.ts';
import { adviceWords } from './german/advice-words.ts';
import { assertionErrors } from './german/assertion-errors.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from './german/connection-errors.ts';
import { callErrors } from './german/call-errors.ts';
import { discoveryErrors } from './german/discovery-errors.ts';
import { identityErrors } from './german/identity-errors.ts';
import { localErrors } from './german/local-errors.ts';
import { keyringErrors } from './german/keyring-errors.ts';
import { networkErrors } from './german/network-errors.ts';
import { appErrors, gatewayErrors, programErrors } from './german/program-errors.ts';
import { signInErrors, tokenErrors } from './german/sign-in-errors.ts';
import { storageErrors } from './german/storage-errors.ts';
import { storageWords } from './german/storage-words.ts';
import { waitingWords } from './german/waiting-words.ts';
import type { GermanOf } from './german/german-entry.ts';
import type { Remedy } from '../remedy.ts';
import { sentenceKey } from '../sentence-key.ts';

const messages: GermanOf<Record<ErrorCode, unknown>> = {
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
  const message = messages[code];
  return typeof message === 'function' ? message(detail) : message;
}

/** A step that every surface says alike, in German; one that is not known here stays as it is. */
export function adviseInGerman(remedy: Advising): string {
  const gaps = 'gaps' in remedy ? remedy.gaps : undefined;
  const sentence = steps[sentenceKey(gaps?.sentence ?? remedy.advice)];
  return sentence === undefined ? remedy.advice : fillGaps(sentence, gaps?.values ?? {});
}

type Advising = Extract<Remedy, { readonly advice: string }>;
