import { hostOr, sayOf } from '../../error-catalogue/catalogue-entry.ts';
import type {
  ClientKeyFault,
  discoveryErrors as englishDiscoveryErrors,
} from '../../error-catalogue/discovery-errors.ts';
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
