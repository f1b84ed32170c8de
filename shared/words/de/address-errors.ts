import type { addressErrors as english } from '../../error-catalogue/address-errors.ts';
import { hostOr } from '../../error-catalogue/catalogue-entry.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import type { GermanOf } from './german-entry.ts';

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
