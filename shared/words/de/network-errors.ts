import type { addressErrors as english } from '../../error-catalog/address-errors.ts';
import { hostOr } from '../../error-catalog/catalog-entry.ts';
import { networkFaults } from '../../error-catalog/network-errors.ts';
import type { networkErrors as englishNetworkErrors, NetworkFault } from '../../error-catalog/network-errors.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import { dayOf } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

/** The message of the fault if one is known, otherwise that of the code. */
const withFault = (words: (detail: CatalogDetail) => string) => (detail: CatalogDetail) =>
  describeFault(detail) ?? words(detail);

const server = (detail: CatalogDetail): string => hostOr(detail, 'Der Server');

export const networkErrors: GermanOf<typeof englishNetworkErrors> = {
  DNS_FAIL: withFault((detail) => `${server(detail)} wurde im Netz nicht gefunden.`),
  DNS_REBIND: (detail) =>
    `${server(detail)} zeigte plötzlich auf eine geschützte Adresse. Postern hat sich nicht damit verbunden.`,
  TLS_FAIL: withFault(
    (detail) => `Postern konnte keine verschlüsselte Verbindung zu ${hostOr(detail, 'diesem Server')} herstellen.`,
  ),
  CONNECT_FAIL: withFault((detail) => `Die Verbindung zu ${hostOr(detail, 'diesem Server')} ist fehlgeschlagen.`),
  PROXY_FAIL: withFault(
    (detail) =>
      `Der Proxy ${detail.proxy === undefined ? '' : `${detail.proxy} `}hat keine Verbindung zu ${hostOr(detail, 'diesem Server')} hergestellt.`,
  ),
  DEADLINE: withFault((detail) => `${server(detail)} hat zu lange nicht geantwortet.`),
  REDIRECT_REFUSED: (detail) => {
    const { address, target, host } = detail;
    if (address !== undefined) return `${server(detail)} verlangt https.`;
    const place = target === undefined || target === host ? 'an eine andere Adresse' : `zu ${target}`;
    return `${server(detail)} leitet ${place} weiter. Postern ist nicht gefolgt.`;
  },
  REDIRECT_LOOP: (detail) => `${server(detail)} hat Postern zu oft weitergeleitet.`,
  HEADERS_TOO_LARGE: (detail) => `${server(detail)} hat zu große Antwort-Header gesendet.`,
  BODY_TOO_LARGE: (detail) => `${server(detail)} hat eine zu große Antwort gesendet.`,
  BODY_ENCODING: (detail) =>
    `${server(detail)} hat komprimierte Daten gesendet, obwohl Postern unkomprimierte verlangt hat.`,
  CONTENT_TYPE: (detail) => `${hostOr(detail, 'Diese Adresse')} hat eine Webseite statt Daten geliefert.`,
  JSON_INVALID: (detail) => `${server(detail)} hat ungültiges JSON gesendet.`,
  JSON_DEPTH: (detail) => `${server(detail)} hat zu tief verschachteltes JSON gesendet.`,
  JSON_DUPLICATE_KEY: (detail) =>
    `${server(detail)} hat JSON mit doppelten Schlüsseln gesendet, dem nicht zu trauen ist.`,
  SCHEMA_INVALID: (detail) =>
    `${server(detail)} hat unvollständige oder falsche Anmeldeangaben gesendet${detail.field === undefined ? '' : ` (${detail.field})`}.`,
};

const certificateOf = (who: string): string =>
  who.startsWith('Der ') ? `Das Zertifikat ${who.replace(/^Der ([\w-]+)/u, 'des $1s')}` : `Das Zertifikat von ${who}`;

/** `who` starts the sentence, which has no final period. */
const faultWords: Readonly<Record<NetworkFault, (who: string, detail: CatalogDetail) => string>> = {
  offline: (who) =>
    `Sie sind anscheinend offline. Postern hat ${who.startsWith('Der ') ? who.replace('Der ', 'den ') : who} nicht erreicht`,
  'name-not-found': (who) => `${who} wurde nicht gefunden: Diesen Namen gibt es nicht`,
  'name-server-silent': (who) => `${who} konnte nicht nachgeschlagen werden: Der DNS-Server hat nicht geantwortet`,
  refused: (who) => `${who} hat die Verbindung abgelehnt: Dort scheint nichts zu laufen`,
  unreachable: (who) => `${who} ist von diesem Netz aus nicht erreichbar`,
  'connect-timeout': (who) => `${who} hat auf den Verbindungsversuch nicht geantwortet`,
  closed: (who) => `${who} hat die Verbindung ohne Antwort geschlossen`,
  'cut-off': (who) => `${who} hat die Verbindung geschlossen, bevor die Antwort vollständig war`,
  'not-http': (who) => `${who} hat geantwortet, aber nicht mit HTTP`,
  'broken-http': (who) => `${who} hat mit ungültigem HTTP geantwortet`,
  'tls-spoken': (who) => `${who} braucht eine verschlüsselte Verbindung, aber die Adresse beginnt mit http://`,
  'tls-not-spoken': (who) => `${who} hat unverschlüsselt geantwortet (ohne TLS). Postern hat nichts gesendet`,
  'tls-handshake': (who) => `${who} und Postern haben keine gemeinsame Verschlüsselung. Postern hat nichts gesendet`,
  'tls-client-certificate': (who) => `${who} verlangt ein Client-Zertifikat, das Postern nicht hat`,
  'certificate-unknown-authority': (who) =>
    `${certificateOf(who)} stammt von einer Stelle, der dieser Computer nicht vertraut. Postern hat nichts gesendet`,
  'certificate-self-signed': (who) => `${certificateOf(who)} ist selbst signiert. Postern hat nichts gesendet`,
  'certificate-expired': (who, { validUntil: until }) =>
    `${certificateOf(who)} ist abgelaufen${until === undefined ? '' : ` (am ${dayOf(until)})`}. Postern hat nichts gesendet`,
  'certificate-not-yet-valid': (who, { validFrom: from }) =>
    `${certificateOf(who)} ist noch nicht gültig${from === undefined ? '' : ` (erst ab ${dayOf(from)})`}. Postern hat nichts gesendet`,
  'certificate-wrong-name': (who) => `${certificateOf(who)} gilt für einen anderen Namen. Postern hat nichts gesendet`,
  'certificate-refused': (who, { reason }) =>
    `${certificateOf(who)} ist nicht vertrauenswürdig${reason === undefined ? '' : ` (${reason})`}. Postern hat nichts gesendet`,
  'proxy-password': (who) => `${who} verlangt Benutzernamen und Passwort oder hat die angegebenen abgelehnt`,
  'proxy-refused': (who) => `${who} hat die Verbindung abgelehnt`,
  'proxy-no-way': (who) => `${who} hat keinen Weg zum Server gefunden`,
};

const endpoints: Readonly<Record<string, string | undefined>> = {
  registration: 'Registrierungs-Endpoint',
  'pushed-request': 'Endpoint für vorab übergebene Anfragen',
  device: 'Endpoint für Gerätecodes',
  token: 'Token-Endpoint',
  revocation: 'Widerrufs-Endpoint',
};

/** The message for `detail.fault` at `place` or at the proxy; `undefined` if no fault is known. */
function describeFault(detail: CatalogDetail): string | undefined {
  const fault = networkFaults.find((known) => known === detail.fault);
  if (fault === undefined) return undefined;
  const { place, proxy, host } = detail;
  const endpoint = endpoints[String(detail.endpoint)];
  const at = place ?? host;
  if (proxy === undefined)
    return `${faultWords[fault](at === undefined ? 'Der Server' : endpoint === undefined ? at : `Der ${endpoint} ${at}`, detail)}.`;
  return `${faultWords[fault](`Der Proxy ${proxy}`, detail)}. ${host ?? 'Der Server'} wurde nicht erreicht.`;
}

/** The same with a space before it, to append; empty if no fault is known. */
export function faultSentence(detail: CatalogDetail): string {
  const words = describeFault(detail);
  return words === undefined ? '' : ` ${words}`;
}

const memberOf = (member: string | number | undefined): string => (member === undefined ? '' : ` (${member})`);

const published =
  (what: string, typed: (detail: CatalogDetail) => string) =>
  (detail: CatalogDetail): string =>
    detail.member === undefined
      ? typed(detail)
      : `${detail.publisher ?? 'Der Server'} veröffentlicht in seinen Anmeldeangaben ${what}${memberOf(detail.member)}.`;

export const addressErrors: GermanOf<typeof english> = {
  URL_INVALID: published('eine ungültige Adresse', ({ reason, part }) =>
    reason === 'no-scheme'
      ? 'Die Adresse beginnt nicht mit https://.'
      : part !== undefined
        ? `Diese Adresse enthält einen Platzhalter: ${part}.`
        : 'Das ist keine gültige Webadresse.',
  ),
  URL_SCHEME: (detail) =>
    detail.reason === 'not-web'
      ? published('eine Adresse, die keine Webadresse ist', () => 'Postern kann nur Webadressen verwenden.')(detail)
      : published(
          'eine unverschlüsselte Adresse',
          () => `Die Verbindung zu ${hostOr(detail, 'diesem Server')} wäre unverschlüsselt.`,
        )(detail),
  URL_USERINFO: published(
    'eine Adresse mit Benutzernamen oder Passwort',
    () => 'Die Adresse enthält einen Benutzernamen oder ein Passwort.',
  ),
  URL_FRAGMENT: published(
    'eine Adresse mit einem Teil hinter # oder ?, der dort nicht hingehört',
    () => 'Die Adresse enthält einen Teil mit #, der nicht in eine Serveradresse gehört.',
  ),
  URL_TOO_LONG: published('eine zu lange Adresse', () => 'Die Adresse ist zu lang.'),
  URL_PORT: published(
    'eine Adresse mit einem Port, der im Web nicht verwendet wird',
    (detail) => `Die Adresse von ${hostOr(detail, 'diesem Server')} nutzt einen Port, der im Web nicht verwendet wird.`,
  ),
  URL_COMMAND: ({ kind, address }) => {
    if (kind === 'local')
      return 'Das ist keine Adresse, sondern ein Befehl, der einen Server auf diesem Computer startet.';
    if (kind === 'bridge') return `Das startet eine Brücke zum Server bei ${address}, den Postern direkt erreicht.`;
    return `Das ist ein Teil einer Konfiguration${address === undefined ? '' : ` für den Server bei ${address}`}, keine Adresse.`;
  },
  URL_DOWNGRADE: ({ host, member, publisher }) =>
    `${publisher ?? 'Der Server'} verweist auf eine unverschlüsselte Adresse${host ? ` bei ${host}` : ''}${memberOf(member)}. Postern hat sie nicht verwendet.`,
  HOST_BLOCKED: (detail) => {
    const host = hostOr(detail, 'Dieser Host');
    switch (detail.reason) {
      case 'inside':
        return `${host} ist auf Ihrem Computer oder im internen Netz, was für diesen Server nicht erlaubt ist.`;
      case 'other-host':
        return `Der Server verweist auf ${hostOr(detail, 'einen weiteren Host')}, einen anderen Host in Ihrem internen Netz.`;
      default:
        return detail.publisher === undefined
          ? `${host} ist eine geschützte Adresse. Postern hat sich nicht damit verbunden.`
          : `${detail.publisher} verweist auf ${host}${memberOf(detail.member)}, eine geschützte Adresse. Postern hat sich nicht damit verbunden.`;
    }
  },
  HOST_CONFUSABLE: (detail) =>
    `${detail.host ? `Die Adresse ${detail.host}` : 'Diese Adresse'} enthält Buchstaben, die wie andere aussehen, und ahmt vielleicht eine andere Adresse nach.`,
  HOST_NOT_AGREED: (detail) =>
    `Die Anmeldung bei ${hostOr(detail, 'diesem Server')} nutzt ${detail.hosts?.join(' und ') || 'einen weiteren Host'}, was Sie nicht erlaubt haben. Postern hat keine Anmeldeseite geöffnet.`,
};
