import type { assertionErrors as english } from '../assertion-errors.ts';
import { hostOr, textOf } from '../catalogue-entry.ts';
import type { CatalogueDetail } from '../catalogue-entry.ts';
import type { GermanOf } from './german-entry.ts';

const fileFaults: Readonly<Record<string, string>> = {
  missing: 'ist nicht da',
  denied: 'darf nicht gelesen werden',
  'not-a-file': 'ist keine Datei',
  large: 'ist zu groß für eine Assertion',
  foreign: 'kann von jemand anderem geschrieben werden',
  format: 'enthält kein signiertes JWT mit einem Ende',
  ended: 'enthält eine abgelaufene Assertion',
};

function faultOf(detail: CatalogueDetail): string {
  const { fault } = detail;
  if (fault === 'audience')
    return `enthält eine Assertion, die nicht für ${hostOr(detail, 'diesen Anmeldedienst')} ist`;
  return fileFaults[String(fault)] ?? 'ist nicht verwendbar';
}

export const assertionErrors: GermanOf<typeof english> = {
  ASSERTION_INVALID: (detail) =>
    `Die Datei ${textOf(detail, 'file') ?? 'mit der Assertion'} ${faultOf(detail)}. Es wurde nichts davon gesendet.`,
};
