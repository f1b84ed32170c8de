import { hostOr, httpStatus, sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type {
  ClientKeyFault,
  discoveryErrors as englishDiscoveryErrors,
} from '../../error-catalogue/discovery-errors.ts';
import type {
  assertionErrors as englishAssertionErrors,
  AssertionFault,
  identityErrors as englishIdentityErrors,
  IdentityFault,
  signInErrors as englishSignInErrors,
  tokenErrors as englishOfTokens,
} from '../../error-catalogue/sign-in-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import type { Demand } from '../../oauth.ts';
import { answered, namedError } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';
import { faultSentence } from './network-errors.ts';

const demandWords: Readonly<Record<string, string>> = {
  'pushed-request': 'eine vorab vom Programm gesendete Anmeldung (Pushed Authorization Requests)',
  'signed-request': 'eine vom Programm signierte Anmeldung (signierte Request Objects, JAR)',
  dpop: 'einen Zugriff, der an einen Schlüssel anderer Art gebunden ist, als Postern sie hat (DPoP ohne ES256)',
  certificate: 'einen an ein Zertifikat des Programms gebundenen Zugriff (Mutual TLS)',
  'client-key': 'Programme, die sich mit einem Zertifikat oder einer unüblichen Art von Signatur ausweisen',
  'secret-signature': 'Programme, die sich mit einer Signatur aus ihrem Secret ausweisen (client_secret_jwt)',
  'response-type': 'eine andere Art der Anmeldung als mit Code (response_types_supported)',
  'grant-type': 'eine andere Art der Anmeldung als mit Code (grant_types_supported)',
  'client-grant': 'die Anmeldung eines Menschen und gibt Programmen keinen eigenen Zugriff (grant_types_supported)',
  'assertion-grant': 'etwas anderes als eine Assertion anstelle einer Anmeldung (grant_types_supported)',
  'response-mode': 'eine Antwort auf die Anmeldung anders als in der Adresse, etwa mit JARM (response_modes_supported)',
} satisfies Readonly<Record<Demand, string>>;

const keyFaults: Readonly<Record<ClientKeyFault, string>> = {
  unreadable: 'Er ist nicht lesbar',
  public: 'Es ist die öffentliche Hälfte',
  locked: 'Er hat eine Passphrase',
  weak: 'Er ist zu kurz',
  kind: 'Er ist von anderer Art',
};

export const discoveryErrors: GermanOf<typeof englishDiscoveryErrors> = {
  PRM_MISSING: (detail) => `${hostOr(detail, 'Der Server')} veröffentlicht keine Anmeldeangaben.`,
  ASM_MISSING: (detail) =>
    `${hostOr(detail, 'Der Server')} verlangt eine Anmeldung, sagt aber nicht, wie sie funktioniert.`,
  ASM_UNAVAILABLE: (detail) =>
    `Der Anmeldedienst${detail.host ? ` ${detail.host}` : ''} dieses Servers ${detail.status === 429 ? `ist ausgelastet und bittet zu warten${answered(detail)}` : 'hat gerade selbst eine Störung'}.`,
  RESOURCE_MISMATCH: ({ host }) =>
    `Die Anmeldeangaben gehören zu einem anderen Server als dem eingegebenen${host ? ` (${host})` : ''}. Dorthin wurde nichts gesendet.`,
  ISSUER_MISMATCH: (detail) =>
    detail.named === true
      ? `${hostOr(detail, 'Der Anmeldedienst')} weist nicht nach, dass er der von diesem Server genannte Anmeldedienst ist. Postern hat aufgehört, um Ihr Konto zu schützen.`
      : `Die Anmeldeangaben, die ${hostOr(detail, 'dieser Server')} veröffentlicht, sind die eines anderen Dienstes. Postern hat aufgehört, um Ihr Konto zu schützen.`,
  DEMAND_UNMET: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} verlangt ${demandWords[String(detail.demand)] ?? 'etwas'}, und das kann Postern nicht.`,
  PKCE_UNSUPPORTED: 'Der Anmeldung dieses Servers fehlt ein Schutz, den Sie verlangen (PKCE mit S256).',
  DCR_UNSUPPORTED: (detail) =>
    `Postern konnte sich bei ${hostOr(detail, 'diesem Anmeldedienst')}${detail.passing === true ? ' gerade' : ''} nicht registrieren${answered(detail)}.${faultSentence(detail)}`,
  DCR_REJECTED: (detail) => `Der Anmeldedienst hat es abgelehnt, Postern zu registrieren${namedError(detail)}.`,
  DCR_RESPONSE_INVALID: 'Der Anmeldedienst hat auf die Registrierung etwas Unbrauchbares geantwortet.',
  DCR_REDIRECT_CHANGED:
    'Der Anmeldedienst hat die Adresse für den Rückweg geändert. Die Registrierung wurde verworfen.',
  DCR_SECRET_EXPIRED: 'Der Anmeldedienst hat Postern mit einem Secret registriert, das schon abgelaufen ist.',
  REG_UNAVAILABLE: 'Der Anmeldedienst kann Postern gerade nicht registrieren.',
  REG_ISSUER_MISMATCH: ({ host }) =>
    `Von dem, was für diesen Server gespeichert ist, steht nicht fest, dass es ${host === undefined ? 'zum jetzigen Anmeldedienst' : `zu ${host}`} gehört. Es wurde nicht dorthin gesendet.`,
  CREDENTIALS_REQUIRED: (detail) =>
    `${hostOr(detail, 'Der Anmeldedienst')} braucht eine Client-ID von Ihnen: Programme können sich dort nicht selbst registrieren.`,
  CLIENT_DOCUMENT_REFUSED: (detail) =>
    `Der Anmeldedienst nimmt das veröffentlichte Dokument nicht an, in dem steht, wer Postern ist${namedError(detail)}.`,
  CLIENT_KEY_INVALID: (detail) =>
    `Dieser private Schlüssel ist nicht verwendbar: ${sayOf(keyFaults, detail.fault, 'Er ist nicht lesbar')}.`,
  CLIENT_TO_FILL_IN: (detail) =>
    `${detail.part === 'clientId' ? 'Die Client-ID' : 'Das Client-Secret'} ist nur ein Platzhalter.`,
  CLIENT_REJECTED: 'Der Anmeldedienst nimmt diese Client-ID mit diesem Client-Secret oder Schlüssel nicht an.',
};

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
