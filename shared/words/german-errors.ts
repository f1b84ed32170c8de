import type { Sentence } from '../error-catalogue/catalogue-entry.ts';
import type { errorCatalogue, ErrorCode } from '../error-codes.ts';
import type { CatalogueDetail } from '../error-detail.ts';
import type { NetworkRemedy } from '../remedy.ts';
import { addressErrors } from './de/address-errors.ts';
import { adviceWords } from './de/advice-words.ts';
import { appErrors } from './de/app-errors.ts';
import { callErrors, localErrors } from './de/call-errors.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from './de/connection-errors.ts';
import { discoveryErrors } from './de/discovery-errors.ts';
import type { GermanOf } from './de/german-entry.ts';
import { networkErrors } from './de/network-errors.ts';
import { gatewayErrors, programErrors } from './de/program-errors.ts';
import { assertionErrors, identityErrors, signInErrors, tokenErrors } from './de/sign-in-errors.ts';
import { keyringErrors, storageErrors } from './de/storage-errors.ts';
import { fillGaps } from './en/advice-words.ts';

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

/** What happened, in German: the sentence of `describeError` in the window of somebody who speaks it. */
export function describeInGerman(code: ErrorCode, detail: CatalogueDetail): string {
  const message: string | Sentence<CatalogueDetail> = messages[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return detail.meant === undefined ? sentence : `${sentence} Meinten Sie „${detail.meant}“?`;
}

/** The sentence of a step that every surface says alike, in German. */
export function adviseInGerman({ advice, values }: Advising): string {
  return fillGaps(adviceWords[advice], values);
}

type Advising = Extract<NetworkRemedy, { readonly advice: string }>;
