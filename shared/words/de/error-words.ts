import type { noteWords as englishNoteWords } from '../../compatibility-notes.ts';
import type { Sentence } from '../../error-catalog/catalog-entry.ts';
import type { errorCatalog, ErrorCode } from '../../error-codes.ts';
import type { CatalogDetail } from '../../error-detail.ts';
import type { Translated } from '../../language.ts';
import type { NetworkRemedy, Remedy } from '../../remedy.ts';
import { fillPlaceholders } from '../en/advice-words.ts';
import type { errorWords as englishErrorWords } from '../en/error-words.ts';
import { adviceWords } from './advice-words.ts';
import { apiKeyErrors, callErrors, connectionErrors, localErrors, registryErrors } from './connection-errors.ts';
import { timeOfDay } from './german-entry.ts';
import type { GermanOf } from './german-entry.ts';
import { addressErrors, networkErrors } from './network-errors.ts';
import { posternErrors, gatewayErrors, appErrors } from './app-errors.ts';
import { assertionErrors, discoveryErrors, identityErrors, signInErrors, tokenErrors } from './sign-in-errors.ts';
import { keyringErrors, storageErrors } from './storage-errors.ts';

const messages: GermanOf<typeof errorCatalog> = {
  ...addressErrors,
  ...networkErrors,
  ...discoveryErrors,
  ...signInErrors,
  ...tokenErrors,
  ...assertionErrors,
  ...identityErrors,
  ...connectionErrors,
  ...callErrors,
  ...apiKeyErrors,
  ...gatewayErrors,
  ...localErrors,
  ...storageErrors,
  ...keyringErrors,
  ...appErrors,
  ...registryErrors,
  ...posternErrors,
};

/** The German counterpart of `describeError`. */
export function describeInGerman(code: ErrorCode, detail: CatalogDetail): string {
  const message: string | Sentence<CatalogDetail> = messages[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return detail.meant === undefined ? sentence : `${sentence} Meinten Sie „${detail.meant}“?`;
}

/** The German text of a remedy that is the same on every surface. */
function adviseInGerman({ advice, values }: AdviceRemedy): string {
  return fillPlaceholders(adviceWords[advice], values, timeOfDay);
}

type AdviceRemedy = Extract<NetworkRemedy, { readonly advice: string }>;

type Of<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const createOAuthApp = 'Legen Sie beim Dienst eine OAuth-App an, und geben Sie ihre Client-ID hier ein.';
const tryOtherOptions =
  'Versuchen Sie es noch einmal. Wenn das nicht hilft, versuchen Sie es mit anderen Berechtigungen, mit PKCE immer oder mit einer anderen Client-ID.';
const memoryOnly = 'Bis dahin gelten Anmeldungen nur, solange Postern läuft.';

function describeRemedy(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'paste-lines':
      return describeLines(remedy);
    case 'trust-certificate':
      return `${remedy.whose === 'company' ? 'Ist es die Zertifizierungsstelle Ihrer Firma,' : 'Ist es Ihr eigener Server,'} fügen Sie das Zertifikat diesem Computer hinzu, oder wählen Sie seine Datei in den Einstellungen unter „Erweitert“.`;
    case 'check-certificate':
      return `${remedy.problem === 'name' ? 'Prüfen Sie die Adresse. Sie muss den Namen haben, für den das Zertifikat gilt.' : 'Der Betreiber des Servers muss es ersetzen.'} Die Anmeldedetails zeigen das Zertifikat.`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Verwenden Sie https. Fahren Sie nur ohne fort, wenn andere in Ihrem Netz alles mitlesen dürfen.';
    case 'allow-host':
      return `Erlauben Sie ${remedy.host ?? 'ihn'} nur, wenn Sie ihn kennen, etwa als Anmeldung Ihrer Firma.`;
    case 'agree-to-hosts':
      return 'Starten Sie die Anmeldung neu, und erlauben Sie diese Hosts nur, wenn Sie sie erwartet haben.';
    case 'give-address':
      return 'Geben Sie die Webadresse eines Servers ein. Sie können hier auch eine ganze mcp.json einfügen oder ablegen.';
    case 'connect-otherwise':
      return 'Versuchen Sie es bei einem älteren Server mit den üblichen Adressen. Hat er einen API-Schlüssel, verbinden Sie ihn damit. Sie können auch seine Anmeldeadressen eingeben.';
    case 'type-endpoints':
      return 'Wenden Sie sich an den Betreiber des Servers. Kennen Sie seine Anmeldeadressen, geben Sie sie ein.';
    case 'relax-pkce':
      return 'Wenn Sie dem Server vertrauen, verbinden Sie ihn ohne PKCE-Pflicht.';
    case 'ask-other-scopes':
      return 'Fordern Sie andere oder weniger Berechtigungen an.';
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Versuchen Sie es ohne die Adresse des Servers. Vielleicht erkennt der Dienst sie nicht.'
        : tryOtherOptions;
    case 'try-other-options':
      return tryOtherOptions;
    case 'type-credentials':
      return describeCredentials(remedy);
    case 'type-undemanding-credentials':
      return 'Bitten Sie den Betreiber des Dienstes, Apps wie Postern ohne das zuzulassen.';
    case 'correct-credentials':
      return 'Prüfen Sie beides. Die Callback-URL dort muss Zeichen für Zeichen mit der hier gezeigten übereinstimmen.';
    case 'replace-credentials':
      return 'Melden Sie sich erneut an. Haben Sie eine Client-ID eingegeben, verwenden Sie eine von diesem Dienst.';
    case 'check-client':
      return remedy.what === 'grant' || remedy.what === 'secret-and-grant'
        ? 'Prüfen Sie die Client-ID, und ob ihre OAuth-App diese Art der Anmeldung erlaubt.'
        : 'Starten Sie die Anmeldung neu. Haben Sie eine Client-ID eingegeben, prüfen Sie sie, ihr Secret und ihre Callback-URL.';
    case 'check-document':
      return createOAuthApp;
    case 'start-again':
      return remedy.callbackUrl === undefined
        ? 'Starten Sie die Anmeldung neu.'
        : `Starten Sie die Anmeldung neu. Hat die Seite die Callback-URL abgelehnt, tragen Sie bei Ihrer OAuth-App genau diese ein: ${remedy.callbackUrl}`;
    case 'open-link':
      return remedy.startAgain
        ? 'Starten Sie die Anmeldung neu. Wenn das nicht hilft, kopieren Sie den Link, und öffnen Sie ihn selbst.'
        : 'Kopieren Sie den Link, und öffnen Sie ihn selbst.';
    case 'compare-scopes':
      return 'Vergleichen Sie unter „Übersicht“ die angeforderten und erteilten Berechtigungen. Fehlen welche, melden Sie sich erneut an.';
    case 'sign-in':
      return 'Melden Sie sich erneut an.';
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? 'Melden Sie sich erneut an. Hilft das nicht, entfernen Sie den Server, und verbinden Sie ihn neu.'
        : 'Wenn Sie die neue Adresse kennen und möchten, melden Sie sich erneut an. Wenn nicht, entfernen Sie den Server, und verbinden Sie die richtige Adresse.';
    case 'grant-scopes':
      return remedy.answered
        ? 'Bitten Sie die Administration des Dienstes darum, oder melden Sie sich mit einem Konto an, das sie hat.'
        : 'Melden Sie sich erneut an, um sie zu erteilen. Ihre jetzigen Berechtigungen bleiben.';
    case 'await-renewal':
      return describeRenewal(remedy);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'Nichts zu tun. Seine Tools verwenden den Schlüssel automatisch.'
        : 'Nichts zu tun. Nutzen Sie ihn, wie er ist.';
    case 'list-resources':
      return 'Laden Sie die Liste seiner Ressourcen neu.';
    case 'list-prompts':
      return 'Laden Sie die Liste seiner Prompts neu.';
    case 'list-tools':
      return 'Laden Sie die Liste seiner Tools neu.';
    case 'fit-arguments':
      return 'Ändern Sie die Eingabe. Wenn Sie sicher sind, dass das Tool sie annimmt, senden Sie sie trotzdem.';
    case 'replace-key':
      return describeKey(remedy);
    case 'choose-name':
      return 'Wählen Sie einen anderen Namen.';
    case 'find-name':
      return 'Wählen Sie einen anderen aus der Liste. Vielleicht wurde er in einem anderen Fenster oder auf der Befehlszeile entfernt.';
    case 'allow-command':
      return 'Prüfen Sie den Befehl unter „Einstellungen“, und erlauben Sie ihn.';
    case 'connect-command':
      return 'Verbinden Sie ihn unter demselben Namen neu, mit Befehl und Variablen.';
    case 'start-server':
      return 'Starten Sie ihn wieder.';
    case 'name-folder':
      return 'Legen Sie den Ordner wieder an, oder wählen Sie einen, den es gibt.';
    case 'see-output':
      return 'Prüfen Sie seine Ausgabe unter „Einstellungen“.';
    case 'find-app':
      return 'Installieren Sie sie, und starten Sie sie einmal.';
    case 'allow-app':
      return 'Erlauben Sie es unter „KI-Apps“.';
    case 'review-tools':
      return 'Prüfen Sie die Änderungen unter „KI-Apps“.';
    case 'resume-apps':
      return 'Wählen Sie oben im Fenster „Fortsetzen“.';
    case 'resume-app':
      return 'Wählen Sie „Fortsetzen“ auf der Seite der App unter „KI-Apps“.';
    case 'choose-entry-name':
      return 'Wählen Sie einen anderen Namen für den Eintrag.';
    case 'set-up-keychain':
      if (remedy.missing === 'module' || remedy.missing === 'build')
        return `Installieren Sie Postern neu. ${memoryOnly}`;
      if (remedy.missing === 'libsecret')
        return `Installieren Sie libsecret mit Ihrer Paketverwaltung (Debian, Ubuntu: libsecret-1-0), und starten Sie Postern neu. ${memoryOnly}`;
      return `Richten Sie einen Schlüsselbund ein (unter Linux: gnome-keyring oder KWallet in einer Desktop-Sitzung). ${memoryOnly}`;
    case 'test-storage':
      return 'Prüfen Sie Datenträger und Schlüsselbund, führen Sie den Speichertest aus, und melden Sie sich erneut an.';
    case 'fix-settings':
      return remedy.copy
        ? 'Öffnen und korrigieren Sie die Datei, oder stellen Sie die letzte gute Kopie wieder her.'
        : 'Öffnen und korrigieren Sie die Datei, oder verschieben Sie sie aus dem Profilordner, und verbinden Sie Ihre Server neu.';
    case 'correct-input':
      return 'Prüfen Sie, was Sie eingegeben haben.';
    default:
      return adviseInGerman(remedy);
  }
}

function describeLocal({ because }: Of<'allow-local'>): string {
  switch (because) {
    case 'blocked':
      return 'Wenn Sie dem Server vertrauen, bestätigen Sie, dass er auf Ihrem Computer oder im internen Netz läuft.';
    case 'not-encrypted':
      return 'Verwenden Sie die Adresse mit https://. Läuft der Server auf diesem Computer, bestätigen Sie das unten.';
    case 'rebound':
      return 'Nutzen Sie diesen Server nur, wenn Sie ihm vertrauen und er in Ihrem eigenen Netz ist.';
  }
}

function describeCredentials({ after }: Of<'type-credentials'>): string {
  if (after === undefined) return createOAuthApp;
  const when = after.until === undefined ? 'später' : `nach ${timeOfDay(after.until)}`;
  return `Versuchen Sie es ${when} noch einmal. Wenn das nicht hilft: ${createOAuthApp}`;
}

function describeRenewal({ first, until }: Of<'await-renewal'>): string {
  if (until !== undefined)
    return `Postern versucht es nach ${timeOfDay(until)} noch einmal. Wenn das nicht hilft, melden Sie sich erneut an.`;
  switch (first?.kind) {
    // Waiting does not help here.
    case 'trust-certificate':
    case 'check-clock':
    case 'check-proxy':
      return describeRemedy(first);
    default:
      return 'Prüfen Sie Ihre Internetverbindung. Postern versucht es automatisch noch einmal.';
  }
}

function describeKey({ because }: Of<'replace-key'>): string {
  switch (because) {
    case 'refused':
      return 'Prüfen Sie den Schlüssel beim Dienst. Vielleicht wurde er widerrufen. Geben Sie ihn dann noch einmal ein, oder einen neuen.';
    case 'no-key':
      return 'Verbinden Sie den Server ohne den Header, und melden Sie sich an. Mit einer Anmeldung sendet Postern diesen Header nicht.';
    case 'missing':
      return 'Geben Sie ihn mit „Schlüssel ersetzen…“ unter „Übersicht“ noch einmal ein.';
    case 'address-changed':
      return 'Wenn Sie die neue Adresse möchten, geben Sie ihren Schlüssel mit „Schlüssel ersetzen…“ unter „Übersicht“ ein. Wenn nicht, entfernen Sie den Server, und verbinden Sie den richtigen.';
  }
}

const firstSteps = {
  'replace-file':
    'Ersetzen Sie die Datei durch eine normale, in die Sie schreiben dürfen, und versuchen Sie es noch einmal',
  'try-again': 'Versuchen Sie es noch einmal',
  'fix-file': 'Die Datei wurde nicht geändert. Korrigieren Sie sie, und versuchen Sie es noch einmal',
} as const;

function describeLines({ first, isInline, secret }: Of<'paste-lines'>): string {
  const place = isInline
    ? 'fügen Sie das selbst in die Klammern mit den Servern ein, durch Komma getrennt'
    : 'tragen Sie diese Zeilen selbst ein';
  return `${firstSteps[first]}, oder ${place}.${secret ? ' Sie enthalten ein Geheimnis dieser App. Legen Sie es nirgendwo sonst ab.' : ''}`;
}

export const errorWords: Translated<typeof englishErrorWords> = {
  message: ({ code, detail }) => describeInGerman(code, detail ?? {}),
  ofCode: (code) => describeInGerman(code, {}),
  stages: {
    address: 'Postern wollte die Adresse prüfen und hat sich mit nichts verbunden.',
    probe: 'Postern wollte den Server erreichen. Eine Anmeldeseite wurde nicht geöffnet.',
    discovery: 'Postern wollte herausfinden, wie man sich anmeldet. Eine Anmeldeseite wurde nicht geöffnet.',
    registration: 'Postern wollte sich beim Dienst registrieren. Eine Anmeldeseite wurde nicht geöffnet.',
    credentials: 'Postern brauchte eine Client-ID. Eine Anmeldeseite wurde nicht geöffnet.',
    authorization: 'Sie waren noch nicht angemeldet.',
    callback: 'Sie kamen gerade von der Anmeldeseite zurück. Postern hat keinen Zugriff bekommen.',
    token: 'Sie hatten sich angemeldet. Postern wollte das Access-Token holen.',
    install: 'Sie hatten sich angemeldet. Postern wollte Ihre Anmeldung speichern.',
    connection: 'Postern wollte mit dem Server kommunizieren.',
    refresh: 'Postern wollte Ihre Anmeldung verlängern.',
    gateway: 'Postern wollte eine KI-App mit dem Server verbinden.',
    local: 'Postern wollte den Server auf diesem Computer nutzen.',
    storage: 'Postern wollte den Speicher dieses Computers nutzen.',
    settings: 'Postern wollte seine Einstellungen nutzen.',
    apps: 'Postern wollte die Konfiguration einer KI-App nutzen.',
    postern: 'Der Fehler liegt in Postern selbst.',
  },
  nextStep: describeRemedy,
  code: (code) => `Code ${code}`,
  serverWords: 'Der Server sagt:',
  actions: {
    retry: 'Erneut versuchen',
    local: 'Meinen Computer oder mein internes Netz erlauben',
    allowHost: (host) => `${host ?? 'Diesen Host'} erlauben`,
    allowHttp: 'Ohne Verschlüsselung fortfahren',
    legacy: 'Übliche Adressen ausprobieren',
    apiKey: 'Stattdessen API-Schlüssel verwenden',
    addresses: 'Adressen selbst eingeben',
    scopes: 'Andere Berechtigungen anfordern',
    pkceWhenListed: 'Ohne PKCE-Pflicht verbinden',
    editAddress: 'Adresse ändern',
    port: 'Port ändern',
    storage: 'Speicherdetails anzeigen',
    logs: 'Protokolle öffnen',
    diagnosis: 'Anmeldedetails anzeigen',
    signIn: 'Erneut anmelden',
    grant: 'Zugriff erlauben',
    remove: 'Diesen Server entfernen',
    settings: 'Servereinstellungen öffnen',
    review: 'Änderungen prüfen',
    sendAnyway: 'Trotzdem senden',
    withoutResource: 'Ohne Adresse des Servers versuchen',
    dismiss: 'Ausblenden',
  },
};

export const noteWords: Translated<typeof englishNoteWords> = {
  'no-resource-metadata': 'Der Server nennt keinen Anmeldedienst. Postern hat die Adresse des Servers verwendet.',
  'authorization-server-skipped':
    'Postern hat einen unbrauchbaren Anmeldedienst, den der Server nennt, übersprungen und den nächsten verwendet.',
  'challenge-metadata-url-unusable':
    'Der Server verwies auf ein unlesbares Dokument. Postern hat den üblichen Ort verwendet.',
  'issuer-subdomain': 'Der Anmeldedienst weist sich mit einer anderen Subdomain derselben Domain aus.',
  'issuer-trailing-slash': 'Der Name des Anmeldedienstes unterscheidet sich durch einen Schrägstrich am Ende.',
  'issuer-origin': 'Postern verwendet die Adresse des Servers als Anmeldedienst.',
  'issuer-by-copy':
    'Der Server wiederholt, was ein Anmeldedienst veröffentlicht. Postern hat diesen Dienst geprüft: Es stimmt überein.',
  'host-confusable': 'Die Adresse enthält Buchstaben, die wie andere aussehen. Prüfen Sie sie Buchstabe für Buchstabe.',
  'another-account': 'Der Dienst antwortete für ein anderes Konto als bisher. Prüfen Sie, ob es das gewünschte ist.',
  'address-changed':
    'Die Adresse wurde außerhalb von Postern geändert. Postern hat Ihre Anmeldung nicht an die neue gesendet.',
  'registered-without-scope': 'Der Dienst hat Postern nur ohne die angeforderten Berechtigungen registriert.',
  'registered-with-five-members': 'Der Dienst hat Postern nur mit den nötigsten Angaben registriert.',
  'registration-status-not-201':
    'Der Dienst hat bei der Registrierung von Postern einen ungewöhnlichen Status gemeldet.',
  'authentication-method-unspecified': 'Der Dienst sagte nicht, wie das Client-Secret zu senden ist.',
  'other-client-authentication': 'Der Dienst nahm das Client-Secret nur auf einem anderen Weg an als erwartet.',
  'registered-again':
    'Die Anmeldeseite hat beim letzten Mal nicht geantwortet, deshalb hat sich Postern neu registriert.',
  'client-document-refused':
    'Der Dienst hat das Dokument abgelehnt, das Postern ausweist. Postern hat sich stattdessen registriert.',
  'metadata-partly-unusable': 'Postern hat unbrauchbare Teile der veröffentlichten Anmeldeangaben ignoriert.',
  'pkce-not-listed': 'Der Dienst nennt PKCE nicht. Postern hat es trotzdem verwendet.',
  'secret-for-public-client': 'Der Dienst hat ein Secret ausgegeben, nimmt es aber nicht an.',
  'resource-refused': 'Der Dienst lehnt die Adresse des Servers in Anmeldeanfragen ab. Postern lässt sie deshalb weg.',
  'token-status-not-200': 'Der Dienst hat mit dem Access-Token einen ungewöhnlichen Status gemeldet.',
  'token-type-missing':
    'Der Dienst hat nicht gesagt, welche Art von Token er ausgegeben hat. Postern hat die übliche angenommen.',
  'token-not-bound': 'Der Dienst kann Tokens an einen Schlüssel dieses Computers binden, hat es aber nicht getan.',
  'refresh-token-empty': 'Der Dienst hat ein unbrauchbares Refresh-Token ausgegeben. Postern hat es ignoriert.',
  'expires-in-unusable': 'Der Dienst hat eine unbrauchbare Gültigkeitsdauer für das Token genannt.',
  'scope-unusable': 'Der Dienst hat eine unbrauchbare Liste von Berechtigungen genannt.',
  'legacy-endpoints': 'Postern verwendet die üblichen Anmeldeadressen älterer Server.',
  'typed-endpoints': 'Postern verwendet die Anmeldeadressen, die Sie eingegeben haben.',
  'newer-address': 'Ihre Adresse endet auf /sse. Postern verwendet die neuere desselben Servers, die auf /mcp endet.',
  'old-transport': 'Der Server nutzt den alten MCP-Transport (HTTP+SSE, 2024).',
};
