import type { CatalogueDetail } from '../catalogue-entry.ts';
import { hostOr } from '../catalogue-entry.ts';
import type { networkErrors as english } from '../network-errors.ts';
import type { GermanOf } from './german-entry.ts';
import { describeFault } from './network-faults.ts';

/** The sentence of the fault where one is known, else that of the code. */
const withFault = (words: (detail: CatalogueDetail) => string) => (detail: CatalogueDetail) =>
  describeFault(detail) ?? words(detail);

const server = (detail: CatalogueDetail): string => hostOr(detail, 'Der Server');

export const networkErrors: GermanOf<typeof english> = {
  DNS_FAIL: withFault((detail) => `${server(detail)} wurde im Netz nicht gefunden.`),
  DNS_REBIND: (detail) =>
    `${server(detail)} zeigte plötzlich auf eine geschützte Adresse. Es wurde keine Verbindung aufgenommen.`,
  TLS_FAIL: withFault(
    (detail) => `Zu ${hostOr(detail, 'diesem Server')} kam keine verschlüsselte Verbindung zustande.`,
  ),
  CONNECT_FAIL: withFault((detail) => `Die Verbindung zu ${hostOr(detail, 'diesem Server')} ist fehlgeschlagen.`),
  PROXY_FAIL: withFault(
    (detail) =>
      `Der Proxy ${detail['proxy'] === undefined ? '' : `${detail['proxy']} `}hat den Weg zu ${hostOr(detail, 'diesem Server')} nicht geöffnet.`,
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
    `${server(detail)} hat unvollständige oder falsche Anmeldeangaben gesendet${detail['field'] === undefined ? '' : ` (${detail['field']})`}.`,
};
