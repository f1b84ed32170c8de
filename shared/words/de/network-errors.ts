import type { addressErrors as english } from '../../error-catalogue/address-errors.ts';
import { hostOr } from '../../error-catalogue/catalogue-entry.ts';
import { networkFaults } from '../../error-catalogue/network-errors.ts';
import type { networkErrors as englishNetworkErrors, NetworkFault } from '../../error-catalogue/network-errors.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import { dayOf } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';

/** The sentence of the fault where one is known, else that of the code. */
const withFault = (words: (detail: CatalogueDetail) => string) => (detail: CatalogueDetail) =>
  describeFault(detail) ?? words(detail);

const server = (detail: CatalogueDetail): string => hostOr(detail, 'Der Server');

export const networkErrors: GermanOf<typeof englishNetworkErrors> = {
  DNS_FAIL: withFault((detail) => `${server(detail)} wurde im Netz nicht gefunden.`),
  DNS_REBIND: (detail) =>
    `${server(detail)} zeigte plötzlich auf eine geschützte Adresse. Es wurde keine Verbindung aufgenommen.`,
  TLS_FAIL: withFault(
    (detail) => `Zu ${hostOr(detail, 'diesem Server')} kam keine verschlüsselte Verbindung zustande.`,
  ),
  CONNECT_FAIL: withFault((detail) => `Die Verbindung zu ${hostOr(detail, 'diesem Server')} ist fehlgeschlagen.`),
  PROXY_FAIL: withFault(
    (detail) =>
      `Der Proxy ${detail.proxy === undefined ? '' : `${detail.proxy} `}hat den Weg zu ${hostOr(detail, 'diesem Server')} nicht geöffnet.`,
  ),
  DEADLINE: withFault((detail) => `${server(detail)} hat zu lange nicht geantwortet.`),
  REDIRECT_REFUSED: (detail) => {
    const { address, target, host } = detail;
    if (address !== undefined) return `${server(detail)} ist mit https zu verwenden.`;
    const place = target === undefined || target === host ? 'anderswohin' : `zu ${target}`;
    return `${server(detail)} schickt Postern ${place} weiter. Postern ist dort stehen geblieben.`;
  },
  REDIRECT_LOOP: (detail) => `${server(detail)} hat Postern endlos von Seite zu Seite geschickt.`,
  HEADERS_TOO_LARGE: (detail) =>
    `${server(detail)} hat eine Antwort gesendet, die Postern nicht annehmen kann (ihre Header sind zu groß).`,
  BODY_TOO_LARGE: (detail) => `${server(detail)} hat weit mehr Daten gesendet, als in so eine Antwort gehören.`,
  BODY_ENCODING: (detail) =>
    `${server(detail)} hat komprimierte Daten gesendet, obwohl Postern unkomprimierte verlangt hat.`,
  CONTENT_TYPE: (detail) =>
    `${hostOr(detail, 'Diese Adresse')} hat mit einer Webseite geantwortet statt mit Verbindungsdaten.`,
  JSON_INVALID: (detail) => `${server(detail)} hat Daten gesendet, die nicht lesbar sind.`,
  JSON_DEPTH: (detail) => `${server(detail)} hat Daten gesendet, die zu tief verschachtelt sind.`,
  JSON_DUPLICATE_KEY: (detail) =>
    `${server(detail)} hat Daten gesendet, die dasselbe zweimal sagen, und denen deshalb nicht zu trauen ist.`,
  SCHEMA_INVALID: (detail) =>
    `${server(detail)} hat unvollständige oder falsche Anmeldeangaben gesendet${detail.field === undefined ? '' : ` (${detail.field})`}.`,
};

const certificateOf = (who: string): string =>
  who.startsWith('Der ') ? `Das Zertifikat ${who.replace(/^Der (\w+)/u, 'des $1s')}` : `Das Zertifikat von ${who}`;

/** `who` begins the sentence; it ends without a full stop. */
const faultWords: Readonly<Record<NetworkFault, (who: string, detail: CatalogueDetail) => string>> = {
  offline: (who) => `Sie sind anscheinend offline, deshalb wurde ${who.replace(/^D/u, 'd')} nicht erreicht`,
  'name-not-found': (who) => `${who} wurde nicht gefunden: Den Namen gibt es nicht`,
  'name-server-silent': (who) => `${who} konnte nicht nachgeschlagen werden: Der Nameserver gab keine Antwort`,
  refused: (who) => `${who} hat die Verbindung abgelehnt: Dort scheint nichts zu laufen`,
  unreachable: (who) => `${who} ist von diesem Netz aus nicht erreichbar`,
  'connect-timeout': (who) => `${who} hat auf den Verbindungsversuch nicht geantwortet`,
  closed: (who) => `${who} hat die Verbindung ohne Antwort geschlossen`,
  'cut-off': (who) => `${who} hat die Verbindung mitten in der Antwort geschlossen`,
  'not-http': (who) => `${who} hat geantwortet, aber nicht mit HTTP`,
  'broken-http': (who) => `${who} hat mit HTTP geantwortet, das gegen die Regeln verstößt`,
  'tls-spoken': (who) => `${who} verlangt eine verschlüsselte Verbindung, und die Adresse beginnt mit http://`,
  'tls-not-spoken': (who) =>
    `${who} hat geantwortet, aber nicht mit einer verschlüsselten Verbindung (TLS). Nichts wurde gesendet`,
  'tls-handshake': (who) =>
    `${who} und Postern konnten sich nicht einigen, wie die Verbindung verschlüsselt wird. Nichts wurde gesendet`,
  'tls-client-certificate': (who) => `${who} verlangt ein Client-Zertifikat, und Postern hat keines`,
  'certificate-unknown-authority': (who) =>
    `${certificateOf(who)} stammt von einer Stelle, die dieser Computer nicht kennt. Nichts wurde gesendet`,
  'certificate-self-signed': (who) =>
    `Für ${certificateOf(who).replace(/^D/u, 'd')} bürgt niemand als es selbst. Nichts wurde gesendet`,
  'certificate-expired': (who, { validUntil: until }) =>
    `${certificateOf(who)} ist abgelaufen${until === undefined ? '' : ` (am ${dayOf(until)})`}. Nichts wurde gesendet`,
  'certificate-not-yet-valid': (who, { validFrom: from }) =>
    `${certificateOf(who)} ist noch nicht gültig${from === undefined ? '' : ` (erst ab ${dayOf(from)})`}. Nichts wurde gesendet`,
  'certificate-wrong-name': (who) => `${certificateOf(who)} gilt für einen anderen Namen. Nichts wurde gesendet`,
  'certificate-refused': (who, { reason }) =>
    `${certificateOf(who)} ist nicht vertrauenswürdig${reason === undefined ? '' : ` (${reason})`}. Nichts wurde gesendet`,
  'proxy-password': (who) => `${who} verlangt Benutzernamen und Passwort, oder andere als die angegebenen`,
  'proxy-refused': (who) => `${who} öffnet diesen Weg nicht`,
  'proxy-no-way': (who) => `${who} fand keinen Weg dorthin`,
};

const endpoints: Readonly<Record<string, string | undefined>> = {
  registration: 'Registrierungs-Endpoint',
  'pushed-request': 'Endpoint für vorab gesendete Anfragen',
  device: 'Endpoint für Gerätecodes',
  token: 'Token-Endpoint',
  revocation: 'Widerrufs-Endpoint',
};

/** The sentence for `detail.fault` at `place` or at the proxy; `undefined` where none is known. */
function describeFault(detail: CatalogueDetail): string | undefined {
  const fault = networkFaults.find((known) => known === detail.fault);
  if (fault === undefined) return undefined;
  const { place, proxy, host } = detail;
  const endpoint = endpoints[String(detail.endpoint)];
  const at = place ?? host;
  if (proxy === undefined)
    return `${faultWords[fault](at === undefined ? 'Der Server' : endpoint === undefined ? at : `Der ${endpoint} ${at}`, detail)}.`;
  return `${faultWords[fault](`Der Proxy ${proxy}`, detail)}. ${host ?? 'Der Server'} wurde nicht erreicht.`;
}

/** The same as a further sentence, with a space before it; nothing where no fault is known. */
export function faultSentence(detail: CatalogueDetail): string {
  const words = describeFault(detail);
  return words === undefined ? '' : ` ${words}`;
}

const memberOf = (member: string | number | undefined): string => (member === undefined ? '' : ` (${member})`);

const published =
  (what: string, typed: (detail: CatalogueDetail) => string) =>
  (detail: CatalogueDetail): string =>
    detail.member === undefined
      ? typed(detail)
      : `${detail.publisher ?? 'Der Server'} veröffentlicht in seinen Anmeldeangaben ${what}${memberOf(detail.member)}.`;

export const addressErrors: GermanOf<typeof english> = {
  URL_INVALID: published('eine unbrauchbare Adresse', ({ reason, part }) =>
    reason === 'no-scheme'
      ? 'Die Adresse beginnt nicht mit https://.'
      : part !== undefined
        ? `In dieser Adresse ist noch etwas auszufüllen: ${part}.`
        : 'Das ist keine brauchbare Webadresse.',
  ),
  URL_SCHEME: (detail) =>
    detail.reason === 'not-web'
      ? published('etwas, das keine Webadresse ist', () => 'Hier gehen nur Webadressen.')(detail)
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
    (detail) => `Die Adresse von ${hostOr(detail, 'diesem Server')} nennt einen Port, der im Web nicht verwendet wird.`,
  ),
  URL_COMMAND: ({ kind, address }) => {
    if (kind === 'local') return 'Das ist keine Adresse: Es startet einen Server auf diesem Computer.';
    if (kind === 'bridge') return `Das startet eine Brücke zum Server bei ${address}; dorthin geht Postern selbst.`;
    return `Das ist ein Teil einer Konfiguration${address === undefined ? '' : ` für den Server bei ${address}`}, keine Adresse.`;
  },
  URL_DOWNGRADE: ({ host, member, publisher }) =>
    `${publisher ?? 'Der Server'} verweist auf eine unverschlüsselte Adresse${host ? ` bei ${host}` : ''}${memberOf(member)}. Sie wurde nicht verwendet.`,
  HOST_BLOCKED: (detail) => {
    const host = hostOr(detail, 'Dieser Host');
    switch (detail.reason) {
      case 'inside':
        return `${host} ist auf Ihrem Computer oder im internen Netz, und das ist für diesen Server nicht erlaubt.`;
      case 'other-host':
        return `Der Server möchte ${hostOr(detail, 'einen weiteren Host')} nutzen, einen anderen Host in Ihrem internen Netz.`;
      default:
        return detail.publisher === undefined
          ? `${host} ist eine geschützte Adresse. Es wurde keine Verbindung aufgenommen.`
          : `${detail.publisher} verweist auf ${host}${memberOf(detail.member)}, eine geschützte Adresse. Es wurde keine Verbindung aufgenommen.`;
    }
  },
  HOST_CONFUSABLE: (detail) =>
    `Die Adresse ${hostOr(detail, 'hier')} hat Buchstaben, die wie andere aussehen, und ist leicht zu verwechseln.`,
  HOST_NOT_AGREED: (detail) =>
    `Zur Anmeldung bei ${hostOr(detail, 'diesem Server')} gehört ${detail.hosts?.join(' und ') || 'ein weiterer Host'}, und dem hat niemand zugestimmt. Es wurde keine Anmeldeseite dafür geöffnet.`,
};
