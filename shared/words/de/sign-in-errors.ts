import { hostOr, httpStatus, sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type { AssertionFault, IdentityFault } from '../../error-catalogue/sign-in-errors.ts';
import type {
  assertionErrors as englishAssertionErrors,
  identityErrors as englishIdentityErrors,
  signInErrors as englishSignInErrors,
  tokenErrors as englishOfTokens,
} from '../../error-catalogue/sign-in-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { answered, namedError } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

/** `detail.seconds` in words and parentheses; nothing where it is not known. */
const waited = ({ seconds }: CatalogueDetail): string => {
  if (seconds === undefined) return '';
  const minutes = seconds / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'Minute'] : [seconds, 'Sekunde'];
  return ` (${count} ${unit}${count === 1 ? '' : 'n'})`;
};

const service = (detail: CatalogueDetail): string => hostOr(detail, 'Der Anmeldedienst');

export const signInErrors: GermanOf<typeof englishSignInErrors> = {
  STATE_UNKNOWN: 'Diese Antwort gehört nicht zu der Anmeldung, die wartet. Sie wurde nicht beachtet.',
  STATE_REUSED: 'Diese Antwort auf die Anmeldung wurde schon verwendet. Sie wurde nicht beachtet.',
  STATE_EXPIRED: (detail) => `Die Anmeldung hat länger gedauert, als sie darf${waited(detail)}, und wurde beendet.`,
  LINK_REUSED:
    'Der Link für Ihren Browser wurde zweimal geöffnet: von jemand anderem auf diesem Computer oder von einem Programm, das Links vorab ansieht. Die Anmeldung wurde gestoppt, und nichts wurde gespeichert.',
  CALLBACK_INVALID: 'Der Anmeldedienst hat Sie mit einer Antwort zurückgeschickt, die nicht verwendbar ist.',
  ISS_MISMATCH:
    'Die Antwort auf die Anmeldung kam von einem anderen Dienst als dem, zu dem Sie geschickt wurden. Sie wurde verworfen, um Ihr Konto zu schützen.',
  ISS_MISSING:
    'Der Anmeldedienst hat zugesagt, sich in seiner Antwort zu nennen, und es nicht getan. Die Antwort wurde verworfen, um Ihr Konto zu schützen.',
  USER_DENIED: (detail) => `${service(detail)} sagt, dass der Zugriff abgelehnt wurde. Nichts wurde gespeichert.`,
  USER_CANCELLED: ({ work, count, total }) =>
    work === 'import'
      ? `Nach ${count} von ${total} Einträgen abgebrochen. Was bis dahin importiert war, ist gespeichert.`
      : `Abgebrochen. Nichts wurde ${work === 'deletion' ? 'gelöscht' : 'gespeichert'}.`,
  AS_ERROR: (detail) => `${service(detail)} hat ein Problem gemeldet${namedError(detail)}.`,
  FLOW_SUPERSEDED: 'Für diesen Server wurde eine neuere Anmeldung begonnen.',
  TICKET_INVALID: 'Die Anmeldung wurde nicht rechtzeitig abgeschlossen, oder sie war es schon.',
  PORT_UNAVAILABLE: ({ port }) =>
    `${port === undefined ? 'Der Port für die Anmeldung' : `Port ${port}`} ist von einem anderen Programm oder einer anderen Anmeldung in Postern belegt, sodass Ihr Browser nicht hierher zurückkäme.`,
  BROWSER_OPEN_FAILED: 'Der Browser konnte nicht geöffnet werden.',
  DEVICE_UNSUPPORTED: (detail) =>
    `${service(detail)} bietet keine Anmeldung mit einem Code auf einem anderen Gerät an.`,
  DEVICE_RESPONSE_INVALID: (detail) =>
    `${service(detail)} hat keinen verwendbaren Code für eine Anmeldung auf einem anderen Gerät gegeben.`,
};

export const tokenErrors: GermanOf<typeof englishOfTokens> = {
  TOKEN_RESPONSE_INVALID: 'Der Anmeldedienst hat eine unbrauchbare Antwort gesendet. Nichts wurde gespeichert.',
  TOKEN_CHARSET: 'Der Anmeldedienst hat ein Access-Token mit unerlaubten Zeichen gesendet. Nichts wurde gespeichert.',
  TOKEN_TYPE: ({ unbound }) =>
    unbound === true
      ? 'Der Anmeldedienst hat einen Zugriff erteilt, der auf jedem Computer gilt, obwohl er an diesen gebunden sein muss. Nichts wurde gespeichert.'
      : 'Der Anmeldedienst hat eine Art von Access-Token gesendet, die Postern nicht verwenden kann. Nichts wurde gespeichert.',
  TOKEN_ERROR: (detail) =>
    `${service(detail)} hat die Anmeldung nicht angenommen${answered(detail)}${namedError(detail)}.`,
  TOKEN_RATE_LIMITED: (detail) => `${service(detail)} ist ausgelastet und bittet zu warten${answered(detail)}.`,
  TOKEN_SERVER_ERROR: (detail) => `${service(detail)} hat gerade Probleme${httpStatus(detail) || namedError(detail)}.`,
  TOKEN_ENDPOINT_INSECURE: (detail) =>
    `Der Anmeldedienst will die Anmeldung unverschlüsselt an ${hostOr(detail, 'eine andere Adresse')} gesendet haben. Nichts wurde gesendet.`,
  PROOF_REFUSED: (detail) =>
    detail.again === true
      ? `${hostOr(detail, 'Der Dienst')} hat immer wieder einen neuen Nachweis verlangt, dass der Zugriff auf diesem Computer benutzt wird (DPoP).`
      : `${hostOr(detail, 'Der Dienst')} hat den Nachweis nicht angenommen, dass der Zugriff auf diesem Computer benutzt wird (DPoP).`,
  SCOPE_REDUCED:
    'Der Anmeldedienst hat weniger Berechtigungen erteilt als verlangt, deshalb schlagen manche Tools vielleicht fehl.',
};

const fileFaults: Readonly<Record<Exclude<AssertionFault, 'audience'>, string>> = {
  missing: 'ist nicht da',
  denied: 'darf nicht gelesen werden',
  'not-a-file': 'ist keine Datei',
  large: 'ist zu groß für eine Assertion',
  foreign: 'kann von jemand anderem geschrieben werden',
  format: 'enthält kein signiertes JWT mit einem Ende',
  ended: 'enthält eine abgelaufene Assertion',
};

function assertionFault(detail: CatalogueDetail): string {
  const { fault } = detail;
  if (fault === 'audience')
    return `enthält eine Assertion, die nicht für ${hostOr(detail, 'diesen Anmeldedienst')} ist`;
  return sayOf(fileFaults, fault, 'ist nicht verwendbar');
}

export const assertionErrors: GermanOf<typeof englishAssertionErrors> = {
  ASSERTION_INVALID: (detail) =>
    `Die Datei ${detail.file ?? 'mit der Assertion'} ${assertionFault(detail)}. Es wurde nichts davon gesendet.`,
};

const identityFaults: Readonly<Record<IdentityFault, string>> = {
  missing: 'hat nicht gesagt, wer Sie sind: Die Antwort enthält kein ID-Token dieser Anmeldung',
  format: 'hat etwas geliefert, das keine signierte Assertion ist',
  type: 'hat ein Token anderer Art geliefert als verlangt',
  issuer: 'hat eine Assertion im Namen eines anderen geliefert',
  ended: 'hat eine abgelaufene Assertion geliefert',
  audience: 'hat eine Assertion für einen anderen Dienst geliefert',
  client: 'hat eine Assertion für ein anderes Programm geliefert',
  resource: 'hat eine Assertion für einen anderen Server geliefert',
};

export const identityErrors: GermanOf<typeof englishIdentityErrors> = {
  IDENTITY_REFUSED: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} bürgt bei diesem Server nicht für Sie${namedError(detail)}.`,
  IDENTITY_INVALID: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} ${sayOf(identityFaults, detail.fault, 'hat eine nicht verwendbare Assertion geliefert')}. Es wurde nichts davon weitergegeben.`,
  PROVIDER_SIGN_IN: (detail) => {
    const name = detail.name;
    return name === undefined
      ? 'Der Identitätsanbieter dieses Servers ist nicht mehr verbunden.'
      : `Sie sind bei Ihrem Identitätsanbieter „${name}“ nicht mehr angemeldet.`;
  },
  PROVIDER_ONLY: (detail) =>
    `${hostOr(detail, 'Das')} ist ein Identitätsanbieter: Er meldet bei anderen Servern an und hat selbst keine Tools.`,
};
