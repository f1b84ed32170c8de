import type { identityErrors as english } from '../identity-errors.ts';
import { hostOr, namedError, textOf } from '../catalogue-entry.ts';
import type { CatalogueDetail } from '../catalogue-entry.ts';
import type { GermanOf } from './german-entry.ts';

const faults: Readonly<Record<string, string>> = {
  missing: 'hat nicht gesagt, wer Sie sind: Die Antwort enthält kein ID-Token dieser Anmeldung',
  format: 'hat etwas geliefert, das keine signierte Assertion ist',
  type: 'hat ein Token anderer Art geliefert als verlangt',
  issuer: 'hat eine Assertion im Namen eines anderen geliefert',
  ended: 'hat eine abgelaufene Assertion geliefert',
  audience: 'hat eine Assertion für einen anderen Dienst geliefert',
  client: 'hat eine Assertion für ein anderes Programm geliefert',
  resource: 'hat eine Assertion für einen anderen Server geliefert',
};

function faultOf({ fault }: CatalogueDetail): string {
  return faults[String(fault)] ?? 'hat eine nicht verwendbare Assertion geliefert';
}

export const identityErrors: GermanOf<typeof english> = {
  IDENTITY_REFUSED: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} bürgt bei diesem Server nicht für Sie${namedError(detail)}.`,
  IDENTITY_INVALID: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} ${faultOf(detail)}. Es wurde nichts davon weitergegeben.`,
  PROVIDER_SIGN_IN: (detail) => {
    const name = textOf(detail, 'name');
    return name === undefined
      ? 'Der Identitätsanbieter dieses Servers ist nicht mehr verbunden.'
      : `Sie sind bei Ihrem Identitätsanbieter „${name}“ nicht mehr angemeldet.`;
  },
  PROVIDER_ONLY: (detail) =>
    `${hostOr(detail, 'Das')} ist ein Identitätsanbieter: Er meldet bei anderen Servern an und hat selbst keine Tools.`,
};
