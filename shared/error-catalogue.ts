import { checksInput } from './blame.ts';
import type { Blame } from './blame.ts';
import { advise, waitAsTold } from './error-catalogue/catalogue-entry.ts';
import type { CatalogueEntry } from './error-catalogue/catalogue-entry.ts';
import { checkConnection, tellOwner } from './error-catalogue/network-errors.ts';
import { errorCatalogue } from './error-codes.ts';
import type { ErrorCode } from './error-codes.ts';
import type { CatalogueDetail } from './error-detail.ts';
import type { ErrorFact } from './error-facts.ts';
import type { Remedy } from './remedy.ts';

/** What helps after any other mistake than the user's, where nothing better is known. */
const stepsOf: Readonly<Record<Exclude<Blame, 'input'>, Remedy>> = {
  document: tellOwner,
  answer: tellOwner,
  network: checkConnection,
  computer: advise('report', 'tryAgainOrReport'),
  command: { kind: 'see-output' },
  nobody: waitAsTold(),
};

/** What helps, by whose mistake it is. `given`: what the maker of the error knows better than the catalogue. */
export function remedyFor(code: ErrorCode, blame: Blame, given?: Remedy): Remedy {
  const { remedy, otherwise, blame: usual }: CatalogueEntry = errorCatalogue[code];
  const isUsual = (blame === 'input') === (usual === 'input');
  const known = [given, ...(isUsual ? [remedy, otherwise] : [otherwise, remedy])];
  if (blame === 'input') return known.find((step) => step !== undefined) ?? remedy;
  return known.find((step) => step !== undefined && !checksInput(step)) ?? stepsOf[blame];
}

/**
 * The sentence with its gaps filled from `detail`, and what was probably meant by a name that is not there; what a person can do and whether to try again, as far as the code
 * and whose mistake it is tell.
 */
export function describeError(
  code: ErrorCode,
  detail: CatalogueDetail,
  blame: Blame = errorCatalogue[code].blame,
): { message: string; blame: Blame; about?: readonly ErrorFact[]; remedy: Remedy; retryable: boolean } {
  const { message, retryable, about }: CatalogueEntry = errorCatalogue[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return {
    message: detail.meant === undefined ? sentence : `${sentence} Did you mean “${detail.meant}”?`,
    blame,
    ...(about && { about }),
    remedy: remedyFor(code, blame),
    retryable,
  };
}
