import { hostOr, httpStatus, textFor } from '../../error-catalog/catalog-entry.ts';
import type {
  ClientKeyFault,
  discoveryErrors as englishDiscoveryErrors,
} from '../../error-catalog/discovery-errors.ts';
import type {
  assertionErrors as englishAssertionErrors,
  AssertionFault,
  identityErrors as englishIdentityErrors,
  IdentityFault,
  signInErrors as englishSignInErrors,
  tokenErrors as englishOfTokens,
} from '../../error-catalog/sign-in-errors.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import type { Demand } from '../../oauth.ts';
import { statusSuffix, namedError } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';
import { faultSentence } from './network-errors.ts';

const demandWords: Readonly<Record<string, string>> = {
  'pushed-request': 'vorab übergebene Anmeldeanfragen (Pushed Authorization Requests), nennt aber keine Adresse dafür',
  'signed-request': 'signierte Anmeldeanfragen (JAR)',
  dpop: 'Tokens, die an eine Art von Schlüssel gebunden sind, die Postern nicht hat (DPoP ohne ES256)',
  certificate: 'Tokens, die an ein Client-Zertifikat gebunden sind (Mutual TLS)',
  'client-key': 'Clients, die sich mit einem Zertifikat oder einer unüblichen Art von Signatur ausweisen',
  'secret-signature': 'Clients, die mit ihrem Secret signieren (client_secret_jwt)',
  'response-type': 'eine Anmeldung ohne Authorization Code (response_types_supported)',
  'grant-type': 'eine Anmeldung ohne Authorization Code (grant_types_supported)',
  'client-grant': 'die Anmeldung eines Benutzers, nicht die einer OAuth-App allein (grant_types_supported)',
  'assertion-grant': 'etwas anderes als eine Assertion (grant_types_supported)',
  'response-mode': 'eine Antwort außerhalb der Callback-Adresse, etwa JARM (response_modes_supported)',
} satisfies Readonly<Record<Demand, string>>;

const keyFaults: Readonly<Record<ClientKeyFault, string>> = {
  unreadable: 'Er ist nicht lesbar',
  public: 'Es ist die öffentliche Hälfte des Paars',
  locked: 'Er hat eine Passphrase',
  weak: 'Er ist zu kurz',
  kind: 'Diese Art wird nicht unterstützt',
};

export const discoveryErrors: GermanOf<typeof englishDiscoveryErrors> = {
  PRM_MISSING: (detail) => `${hostOr(detail, 'Der Server')} veröffentlicht keine Anmeldeangaben.`,
  ASM_MISSING: (detail) => `${hostOr(detail, 'Der Server')} verlangt eine Anmeldung, sagt aber nicht, wie.`,
  ASM_UNAVAILABLE: (detail) =>
    `Der Anmeldedienst${detail.host ? ` ${detail.host}` : ''} dieses Servers ${detail.status === 429 ? 'ist ausgelastet' : 'hat gerade Probleme'}${statusSuffix(detail)}.`,
  RESOURCE_MISMATCH: ({ host }) =>
    `Die Anmeldeangaben gehören zu einem anderen Server als dem eingegebenen${host ? ` (${host})` : ''}. Postern hat nichts dorthin gesendet.`,
  ISSUER_MISMATCH: (detail) =>
    detail.named === true
      ? `${hostOr(detail, 'Der Anmeldedienst')} bestätigt nicht, dass er der von diesem Server genannte Anmeldedienst ist. Postern hat die Anmeldung gestoppt, um Ihr Konto zu schützen.`
      : `${hostOr(detail, 'Dieser Server')} veröffentlicht die Anmeldeangaben eines anderen Dienstes. Postern hat die Anmeldung gestoppt, um Ihr Konto zu schützen.`,
  DEMAND_UNMET: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} verlangt ${demandWords[String(detail.demand)] ?? 'eine andere Art der Anmeldung'}. Das unterstützt Postern nicht.`,
  PKCE_UNSUPPORTED: 'Der Anmeldung dieses Servers fehlt ein Schutz, den Sie verlangen (PKCE mit S256).',
  DCR_UNSUPPORTED: (detail) =>
    `Postern konnte sich${detail.passing === true ? ' gerade' : ''} nicht bei ${hostOr(detail, 'diesem Anmeldedienst')} registrieren${statusSuffix(detail)}.${faultSentence(detail)}`,
  DCR_REJECTED: (detail) => `Der Anmeldedienst hat es abgelehnt, Postern zu registrieren${namedError(detail)}.`,
  DCR_RESPONSE_INVALID: 'Der Anmeldedienst hat auf die Registrierung eine unbrauchbare Antwort gesendet.',
  DCR_REDIRECT_CHANGED: 'Der Anmeldedienst hat die Callback-Adresse geändert. Postern hat die Registrierung verworfen.',
  DCR_SECRET_EXPIRED: 'Der Anmeldedienst hat Postern mit einem Secret registriert, das schon abgelaufen ist.',
  REG_UNAVAILABLE: 'Der Anmeldedienst kann Postern gerade nicht registrieren.',
  REG_ISSUER_MISMATCH: ({ host }) =>
    `Die gespeicherte Anmeldung dieses Servers gehört vielleicht nicht ${host === undefined ? 'zum jetzigen Anmeldedienst' : `zu ${host}`}. Postern hat sie nicht dorthin gesendet.`,
  CREDENTIALS_REQUIRED: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} braucht eine Client-ID von Ihnen, denn Apps können sich dort nicht selbst registrieren.`,
  CLIENT_DOCUMENT_REFUSED: (detail) =>
    `Der Anmeldedienst hat das veröffentlichte Dokument abgelehnt, das Postern ausweist${namedError(detail)}.`,
  CLIENT_KEY_INVALID: (detail) =>
    `Postern kann diesen privaten Schlüssel nicht verwenden: ${textFor(keyFaults, detail.fault, 'Er ist nicht lesbar')}.`,
  CLIENT_TO_FILL_IN: (detail) =>
    `${detail.part === 'clientId' ? 'Die Client-ID' : 'Das Client-Secret'} ist nur ein Platzhalter.`,
  CLIENT_REJECTED: 'Der Anmeldedienst hat diese Client-ID mit diesem Client-Secret oder Schlüssel abgelehnt.',
};

/** How long Postern waited: ` nach 10 Minuten`; empty if unknown. */
const afterSeconds = ({ seconds }: CatalogDetail): string => {
  if (seconds === undefined) return '';
  const minutes = seconds / 60;
  const [count, unit] = Number.isInteger(minutes) ? [minutes, 'Minute'] : [seconds, 'Sekunde'];
  return ` nach ${count} ${unit}${count === 1 ? '' : 'n'}`;
};

const service = (detail: CatalogDetail): string => hostOr(detail, 'Der Anmeldedienst');

export const signInErrors: GermanOf<typeof englishSignInErrors> = {
  STATE_UNKNOWN: 'Diese Antwort gehört nicht zur laufenden Anmeldung. Postern hat sie ignoriert.',
  STATE_REUSED: 'Diese Antwort auf die Anmeldung wurde schon verwendet. Postern hat sie ignoriert.',
  STATE_EXPIRED: (detail) => `Die Anmeldung wurde${afterSeconds(detail)} wegen Zeitüberschreitung beendet.`,
  LINK_REUSED:
    'Der Anmeldelink wurde zweimal geöffnet, von jemand anderem auf diesem Computer oder von Software, die Links vorab öffnet. Postern hat die Anmeldung gestoppt und nichts gespeichert.',
  CALLBACK_INVALID: 'Der Anmeldedienst hat eine Antwort gesendet, die Postern nicht verwenden kann.',
  ISS_MISMATCH:
    'Die Antwort kam von einem anderen Anmeldedienst als dem, bei dem Sie sich angemeldet haben. Postern hat sie verworfen, um Ihr Konto zu schützen.',
  ISS_MISSING:
    'Der Anmeldedienst hat sich in seiner Antwort nicht genannt, obwohl er das angekündigt hat. Postern hat die Antwort verworfen, um Ihr Konto zu schützen.',
  USER_DENIED: (detail) => `${service(detail)} sagt, dass der Zugriff abgelehnt wurde.`,
  USER_CANCELLED: ({ work, count, total }) =>
    work === 'import'
      ? `Nach ${count} von ${total} Einträgen abgebrochen. Die bisher importierten sind gespeichert.`
      : work === 'oauthApp'
        ? 'Abgebrochen. Postern hat die OAuth-App noch, die Sie eingegeben haben.'
        : `Abgebrochen. Nichts wurde ${work === 'deletion' ? 'gelöscht' : 'gespeichert'}.`,
  AS_ERROR: (detail) => `${service(detail)} hat ein Problem gemeldet${namedError(detail)}.`,
  FLOW_SUPERSEDED: 'Sie haben für diesen Server eine neuere Anmeldung begonnen.',
  TICKET_INVALID: 'Die Anmeldung hat zu lange gedauert oder war schon abgeschlossen.',
  PORT_UNAVAILABLE: ({ port }) =>
    `${port === undefined ? 'Der Port für die Anmeldung' : `Port ${port}`} ist von einem anderen Programm oder einer anderen Anmeldung in Postern belegt. Ihr Browser kann deshalb nicht zu Postern zurückkehren.`,
  BROWSER_OPEN_FAILED: 'Postern konnte den Browser nicht öffnen.',
  DEVICE_UNSUPPORTED: (detail) => `${service(detail)} unterstützt keine Anmeldung mit einem Code.`,
  DEVICE_RESPONSE_INVALID: (detail) => `${service(detail)} hat keinen verwendbaren Anmeldecode gesendet.`,
};

export const tokenErrors: GermanOf<typeof englishOfTokens> = {
  TOKEN_RESPONSE_INVALID: 'Der Anmeldedienst hat eine unbrauchbare Antwort gesendet. Nichts wurde gespeichert.',
  TOKEN_CHARSET: 'Der Anmeldedienst hat ein Access-Token mit ungültigen Zeichen gesendet. Nichts wurde gespeichert.',
  TOKEN_TYPE: ({ unbound }) =>
    unbound === true
      ? 'Der Anmeldedienst hat ein Access-Token gesendet, das nicht an diesen Computer gebunden ist, obwohl es das sein muss. Nichts wurde gespeichert.'
      : 'Der Anmeldedienst hat eine Art von Access-Token gesendet, die Postern nicht unterstützt. Nichts wurde gespeichert.',
  TOKEN_ERROR: (detail) =>
    `${service(detail)} hat die Anmeldung abgelehnt${statusSuffix(detail)}${namedError(detail)}.`,
  TOKEN_RATE_LIMITED: (detail) => `${service(detail)} ist ausgelastet${statusSuffix(detail)}.`,
  TOKEN_SERVER_ERROR: (detail) => `${service(detail)} hat gerade Probleme${httpStatus(detail) || namedError(detail)}.`,
  TOKEN_ENDPOINT_INSECURE: (detail) =>
    `Postern sollte die Anmeldung unverschlüsselt an ${hostOr(detail, 'eine andere Adresse')} senden. Postern hat nichts gesendet.`,
  PROOF_REFUSED: (detail) =>
    detail.again === true
      ? `${hostOr(detail, 'Der Dienst')} hat immer wieder einen neuen Nachweis verlangt, dass das Token auf diesem Computer genutzt wird (DPoP).`
      : `${hostOr(detail, 'Der Dienst')} hat den Nachweis abgelehnt, dass das Token auf diesem Computer genutzt wird (DPoP).`,
  SCOPE_REDUCED:
    'Der Anmeldedienst hat weniger Berechtigungen erteilt als angefordert, deshalb schlagen manche Tools vielleicht fehl.',
};

const fileFaults: Readonly<Record<Exclude<AssertionFault, 'audience'>, string>> = {
  missing: 'gibt es nicht',
  denied: 'ist nicht lesbar',
  'not-a-file': 'ist keine Datei',
  large: 'ist zu groß für eine Assertion',
  foreign: 'kann von anderen Benutzern geändert werden',
  format: 'enthält kein signiertes JWT mit Ablaufzeit',
  ended: 'enthält eine abgelaufene Assertion',
};

function assertionFault(detail: CatalogDetail): string {
  const { fault } = detail;
  if (fault === 'audience')
    return `enthält eine Assertion, die nicht für ${hostOr(detail, 'diesen Anmeldedienst')} ist`;
  return textFor(fileFaults, fault, 'ist nicht verwendbar');
}

export const assertionErrors: GermanOf<typeof englishAssertionErrors> = {
  ASSERTION_INVALID: (detail) =>
    `Die Datei ${detail.file ?? 'mit der Assertion'} ${assertionFault(detail)}. Postern hat nichts daraus gesendet.`,
};

const identityFaults: Readonly<Record<IdentityFault, string>> = {
  missing: 'hat nicht gesagt, wer Sie sind: Die Antwort enthält kein ID-Token dieser Anmeldung',
  format: 'hat etwas geliefert, das keine signierte Assertion ist',
  type: 'hat ein Token anderer Art geliefert als angefordert',
  issuer: 'hat eine Assertion geliefert, die jemand anderes ausgestellt hat',
  ended: 'hat eine abgelaufene Assertion geliefert',
  audience: 'hat eine Assertion für einen anderen Dienst geliefert',
  client: 'hat eine Assertion für eine andere OAuth-App geliefert',
  resource: 'hat eine Assertion für einen anderen Server geliefert',
};

export const identityErrors: GermanOf<typeof englishIdentityErrors> = {
  IDENTITY_REFUSED: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} bestätigt diesem Server nicht, wer Sie sind${namedError(detail)}.`,
  IDENTITY_INVALID: (detail) =>
    `${hostOr(detail, 'Der Identitätsanbieter')} ${textFor(identityFaults, detail.fault, 'hat eine unbrauchbare Assertion geliefert')}. Postern hat sie nicht weitergegeben.`,
  PROVIDER_SIGN_IN: (detail) => {
    const name = detail.name;
    return name === undefined
      ? 'Der Identitätsanbieter dieses Servers ist nicht mehr verbunden.'
      : `Sie sind bei Ihrem Identitätsanbieter „${name}“ nicht mehr angemeldet.`;
  },
  PROVIDER_ONLY: (detail) =>
    `${hostOr(detail, 'Das')} ist ein Identitätsanbieter. Er meldet Sie bei anderen Servern an und hat selbst keine Tools.`,
};
