import type { noteWords as englishNoteWords } from '../../compatibility-notes.ts';
import { timeOfDay } from '../../error-catalogue/catalogue-entry.ts';
import type { Sentence } from '../../error-catalogue/catalogue-entry.ts';
import type { errorCatalogue, ErrorCode } from '../../error-codes.ts';
import type { CatalogueDetail } from '../../error-detail.ts';
import type { Translated } from '../../language.ts';
import type { NetworkRemedy, Remedy } from '../../remedy.ts';
import { fillGaps } from '../en/advice-words.ts';
import type { errorWords as englishErrorWords } from '../en/error-words.ts';
import { adviceWords } from './advice-words.ts';
import { apiKeyErrors, callErrors, connectionErrors, localErrors, registryErrors } from './connection-errors.ts';
import type { GermanOf } from './german-entry.ts';
import { addressErrors, networkErrors } from './network-errors.ts';
import { appErrors, gatewayErrors, programErrors } from './program-errors.ts';
import { assertionErrors, discoveryErrors, identityErrors, signInErrors, tokenErrors } from './sign-in-errors.ts';
import { keyringErrors, storageErrors } from './storage-errors.ts';

const messages: GermanOf<typeof errorCatalogue> = {
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
  ...programErrors,
  ...registryErrors,
  ...appErrors,
};

/** What happened, in German: the sentence of `describeError` in the window of somebody who speaks it. */
export function describeInGerman(code: ErrorCode, detail: CatalogueDetail): string {
  const message: string | Sentence<CatalogueDetail> = messages[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return detail.meant === undefined ? sentence : `${sentence} Meinten Sie „${detail.meant}“?`;
}

/** The sentence of a step that every surface says alike, in German. */
function adviseInGerman({ advice, values }: Advising): string {
  return fillGaps(adviceWords[advice], values);
}

type Advising = Extract<NetworkRemedy, { readonly advice: string }>;

type Of<Kind extends Remedy['kind']> = Extract<Remedy, { kind: Kind }>;

const createApp = 'Legen Sie beim Dienst von Hand eine OAuth-App an, und geben Sie ihre Client-ID hier ein.';
const lookAtOptions =
  'Versuchen Sie es noch einmal. Bleibt es so, sehen Sie sich die Optionen an: andere Berechtigungen, PKCE immer oder eine andere Client-ID.';
const memoryOnly = 'Bis dahin halten Anmeldungen, solange Postern läuft.';

/** What a person can do next, in German; see the English one. */
function describeRemedy(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'paste-lines':
      return describeLines(remedy);
    case 'trust-certificate':
      return `${remedy.whose === 'company' ? 'Ist es die Stelle Ihrer Firma,' : 'Ist es Ihr eigenes,'} legen Sie das Zertifikat im Speicher dieses Computers ab, oder wählen Sie seine Datei in den Einstellungen unter Zertifikate.`;
    case 'check-certificate':
      return `${remedy.problem === 'name' ? 'Prüfen Sie die Adresse: Sie muss den Namen haben, für den das Zertifikat gilt.' : 'Der Betreiber des Servers muss es ersetzen.'} Die Diagnose der Anmeldung zeigt das Zertifikat.`;
    case 'allow-local':
      return describeLocal(remedy);
    case 'allow-http':
      return 'Verwenden Sie https. Nur wenn Sie hinnehmen, dass andere in Ihrem Netz alles mitlesen könnten, fahren Sie ohne fort.';
    case 'allow-host':
      return `Erlauben Sie ${remedy.host ?? 'ihn'} für diesen Server nur, wenn Sie ihn kennen, z. B. als Anmeldung Ihrer Firma.`;
    case 'agree-to-hosts':
      return 'Beginnen Sie neu, und stimmen Sie nur zu, wenn Sie diese Hosts erwartet haben.';
    case 'give-address':
      return 'Geben Sie nur die Webadresse eines Servers ein. Eine ganze mcp.json können Sie hier einfügen oder ablegen.';
    case 'connect-otherwise':
      return 'Ist es ein älterer Server, versuchen Sie die üblichen Adressen. Verlangt er einen Schlüssel, verbinden Sie ihn neu mit einem. Kennen Sie seine Anmeldeadressen, geben Sie sie ein.';
    case 'type-endpoints':
      return 'Sagen Sie es dem Betreiber des Servers. Kennen Sie seine Anmeldeadressen, geben Sie sie ein.';
    case 'relax-pkce':
      return 'Wenn Sie dem Server vertrauen, verbinden Sie ihn ohne diese Pflicht.';
    case 'ask-other-scopes':
      return 'Verlangen Sie andere oder weniger Berechtigungen.';
    case 'without-resource':
      return remedy.because === 'unknown'
        ? 'Versuchen Sie es, ohne den Server in der Anfrage zu nennen: Vielleicht kennt dieser Dienst ihn nicht unter seiner Adresse.'
        : lookAtOptions;
    case 'try-other-options':
      return lookAtOptions;
    case 'type-credentials':
      return describeCredentials(remedy);
    case 'type-undemanding-credentials':
      return 'Bitten Sie den Betreiber des Dienstes, Programme wie Postern ohne das zuzulassen.';
    case 'correct-credentials':
      return 'Prüfen Sie beides, und ob die Callback-URL dort auf den Buchstaben die hier gezeigte ist.';
    case 'replace-credentials':
      return 'Melden Sie sich neu an. Haben Sie eine Client-ID eingegeben, nehmen Sie die, die dieser Dienst kennt.';
    case 'check-client':
      return remedy.what === 'grant' || remedy.what === 'secret-and-grant'
        ? 'Prüfen Sie die Client-ID, und ob ihre App diese Art der Anmeldung nutzen darf.'
        : 'Beginnen Sie neu. Bei einer eigenen Client-ID prüfen Sie sie, ihr Secret und ihre Callback-URL.';
    case 'check-document':
      return createApp;
    case 'start-again':
      return remedy.callbackUrl === undefined
        ? 'Beginnen Sie die Anmeldung neu.'
        : `Beginnen Sie die Anmeldung neu. Hat die Seite die Callback-URL abgelehnt, braucht Ihre OAuth-App genau diese: ${remedy.callbackUrl}`;
    case 'open-link':
      return remedy.startAgain
        ? 'Beginnen Sie neu. Passiert es wieder, kopieren Sie den Link, und öffnen Sie ihn selbst.'
        : 'Kopieren Sie den Link, und öffnen Sie ihn, wo Sie möchten.';
    case 'compare-scopes':
      return 'Vergleichen Sie auf der Seite „Übersicht“ verlangte und erteilte Berechtigungen, und melden Sie sich neu an, wenn welche fehlen.';
    case 'sign-in':
      return 'Melden Sie sich neu an.';
    case 'sign-in-or-remove':
      return remedy.because === 'refused'
        ? 'Melden Sie sich neu an. Hilft das nicht, entfernen Sie den Server, und verbinden Sie ihn neu.'
        : 'Nur wenn Sie die neue Adresse kennen und möchten: Melden Sie sich neu an. Wenn nicht, entfernen Sie den Server, und verbinden Sie die richtige Adresse.';
    case 'grant-scopes':
      return remedy.answered
        ? 'Bitten Sie die Verwaltung des Dienstes darum, oder melden Sie sich mit einem Konto an, das sie hat.'
        : 'Erteilen Sie sie, indem Sie sich noch einmal anmelden; die vorhandenen Berechtigungen bleiben.';
    case 'await-renewal':
      return describeRenewal(remedy);
    case 'use-as-it-is':
      return remedy.with === 'key'
        ? 'Anzumelden gibt es nichts; seine Tools verwenden den Schlüssel von selbst.'
        : 'Nutzen Sie ihn, wie er ist.';
    case 'list-resources':
      return 'Lesen Sie die Liste seiner Ressourcen neu.';
    case 'list-prompts':
      return 'Lesen Sie die Liste seiner Prompts neu.';
    case 'list-tools':
      return 'Lesen Sie die Liste seiner Tools neu.';
    case 'fit-arguments':
      return 'Ändern Sie es. Wenn Sie sicher sind, dass das Tool es annimmt, senden Sie es trotzdem.';
    case 'replace-key':
      return describeKey(remedy);
    case 'choose-name':
      return 'Wählen Sie einen anderen Namen.';
    case 'find-name':
      return 'Vielleicht wurde er in einem anderen Fenster oder auf der Befehlszeile entfernt.';
    case 'allow-command':
      return 'Sehen Sie sich auf der Seite „Prozess“ an, was ausgeführt wird, und erlauben Sie es.';
    case 'connect-command':
      return 'Verbinden Sie ihn unter demselben Namen neu, mit Befehl und Variablen.';
    case 'start-server':
      return 'Starten Sie ihn wieder.';
    case 'name-folder':
      return 'Legen Sie den Ordner wieder an, oder nennen Sie einen, den es gibt.';
    case 'see-output':
      return 'Sehen Sie auf der Seite „Prozess“ nach, was er geschrieben hat.';
    case 'find-program':
      return 'Installieren Sie es, und starten Sie es einmal.';
    case 'allow-program':
      return 'Erlauben Sie es unter „Programme“.';
    case 'review-tools':
      return 'Sehen Sie sich auf der Seite „Berechtigungen“ an, was sich geändert hat.';
    case 'resume-programs':
      return 'Wählen Sie oben im Fenster „Fortsetzen“.';
    case 'resume-program':
      return 'Wählen Sie auf seiner Seite unter „Programme“ die Taste „Fortsetzen“.';
    case 'choose-entry-name':
      return 'Wählen Sie einen anderen Namen für den Eintrag.';
    case 'set-up-keychain':
      if (remedy.missing === 'module' || remedy.missing === 'build')
        return `Installieren Sie Postern neu. ${memoryOnly}`;
      if (remedy.missing === 'libsecret')
        return `Installieren Sie libsecret mit der Paketverwaltung dieses Computers (Debian, Ubuntu: libsecret-1-0), und starten Sie Postern neu. ${memoryOnly}`;
      return `Richten Sie einen Schlüsselbund ein (unter Linux: gnome-keyring oder KWallet in einer Desktop-Sitzung). ${memoryOnly}`;
    case 'test-storage':
      return 'Prüfen Sie Datenträger und Schlüsselbund, führen Sie die Prüfung des Speichers aus, und melden Sie sich neu an.';
    case 'mend-settings':
      return remedy.copy
        ? 'Öffnen und berichtigen Sie die Datei, oder stellen Sie die letzte gute Kopie wieder her.'
        : 'Öffnen und berichtigen Sie die Datei, oder nehmen Sie sie aus dem Profilordner, und verbinden Sie Ihre Server neu.';
    case 'correct-input':
      return 'Prüfen Sie, was Sie eingegeben haben.';
    default:
      return adviseInGerman(remedy);
  }
}

function describeLocal({ because }: Of<'allow-local'>): string {
  switch (because) {
    case 'blocked':
      return 'Gehört er Ihnen oder Leuten, denen Sie vertrauen, sagen Sie, dass er auf Ihrem Computer oder im internen Netz läuft.';
    case 'not-encrypted':
      return 'Verwenden Sie die Adresse mit https://. Läuft der Server auf diesem Computer, sagen Sie es unten.';
    case 'rebound':
      return 'Nutzen Sie diesen Server nur, wenn Sie ihm vertrauen und er in Ihrem eigenen Netz ist.';
  }
}

function describeCredentials({ after }: Of<'type-credentials'>): string {
  if (after === undefined) return createApp;
  const when = after.until === undefined ? 'später' : `nach ${timeOfDay(after.until)}`;
  return `Versuchen Sie es ${when} noch einmal. Bleibt es so: ${createApp}`;
}

function describeRenewal({ first, until }: Of<'await-renewal'>): string {
  if (until !== undefined)
    return `Postern versucht es nach ${timeOfDay(until)} von selbst noch einmal. Bleibt es so, melden Sie sich neu an.`;
  switch (first?.kind) {
    // Waiting does not help here.
    case 'trust-certificate':
    case 'check-clock':
    case 'check-proxy':
      return describeRemedy(first);
    default:
      return 'Prüfen Sie Ihre Internetverbindung. Postern versucht es von selbst noch einmal.';
  }
}

function describeKey({ because }: Of<'replace-key'>): string {
  switch (because) {
    case 'refused':
      return 'Prüfen Sie ihn beim Dienst; vielleicht wurde er widerrufen. Geben Sie ihn dann noch einmal ein, oder einen anderen.';
    case 'no-key':
      return 'Verbinden Sie den Server nur mit seiner Adresse, und melden Sie sich an. Mit einer Anmeldung sendet Postern keinen solchen Header.';
    case 'missing':
      return 'Geben Sie ihn mit „Schlüssel ersetzen…“ auf der Seite „Übersicht“ noch einmal ein.';
    case 'address-changed':
      return 'Möchten Sie die neue Adresse, geben Sie ihren Schlüssel mit „Schlüssel ersetzen…“ auf der Seite „Übersicht“ ein. Wenn nicht, entfernen Sie den Server, und verbinden Sie den richtigen.';
  }
}

const before = {
  'replace-file': 'Legen Sie dort eine normale Datei an, in die Sie schreiben dürfen, und versuchen Sie es noch einmal',
  'try-again': 'Versuchen Sie es noch einmal',
  'fix-file': 'Die Datei blieb, wie sie ist: Berichtigen Sie sie, und versuchen Sie es noch einmal',
} as const;

function describeLines({ first, isInline, secret }: Of<'paste-lines'>): string {
  const place = isInline
    ? 'setzen Sie das selbst zwischen die Klammern, in denen seine Server stehen, mit einem Komma zwischen zweien'
    : 'tragen Sie diese Zeilen selbst dort ein';
  return `${before[first]}, oder ${place}.${secret ? ' Darin steht ein Geheimnis dieses Programms: Legen Sie es sonst nirgends ab.' : ''}`;
}

export const errorWords: Translated<typeof englishErrorWords> = {
  message: ({ code, detail }) => describeInGerman(code, detail ?? {}),
  ofCode: (code) => describeInGerman(code, {}),
  stages: {
    address: 'Es hat bei der Adresse aufgehört; keine Verbindung wurde aufgenommen.',
    probe: 'Weiter als bis zur Adresse des Servers kam Postern nicht. Eine Anmeldeseite wurde nicht geöffnet.',
    discovery:
      'Es hat aufgehört, als Postern herausfand, wie man sich anmeldet, deshalb wurde keine Anmeldeseite geöffnet.',
    registration: 'Es hat bei der Registrierung von Postern aufgehört, deshalb wurde keine Anmeldeseite geöffnet.',
    credentials: 'Es hat bei der Client-ID aufgehört, deshalb wurde keine Anmeldeseite geöffnet.',
    authorization: 'Es hat aufgehört, bevor Sie angemeldet waren.',
    callback: 'Es hat auf dem Rückweg von der Anmeldeseite aufgehört. Es wurde kein Zugriff gegeben.',
    token: 'Sie hatten sich angemeldet; es hat aufgehört, als Postern den Zugriff holte.',
    install: 'Sie hatten sich angemeldet; es hat aufgehört, als der Zugriff gespeichert wurde.',
    connection: 'Es hat im Gespräch mit dem Server aufgehört.',
    refresh: 'Es hat beim Verlängern Ihrer Anmeldung aufgehört.',
    gateway: 'Es hat zwischen einem Programm und dem Server aufgehört.',
    local: 'Es blieb beim Server stehen, der auf diesem Computer läuft.',
    storage: 'Es hat beim Speicher dieses Computers aufgehört.',
    settings: 'Es hat bei den Einstellungen von Postern aufgehört.',
    programs: 'Es hat bei der Konfiguration eines Programms aufgehört.',
    app: 'Es hat in Postern selbst aufgehört.',
  },
  nextStep: describeRemedy,
  code: (code) => `Code ${code}`,
  serverWords: 'Der Server sagt:',
  actions: {
    retry: 'Erneut versuchen',
    local: 'Er läuft auf meinem Computer oder im internen Netz',
    allowHost: (host) => `${host ?? 'Diesen Host'} erlauben`,
    allowHttp: 'Ohne Verschlüsselung fortfahren',
    legacy: 'Übliche Adressen versuchen',
    apiKey: 'Stattdessen API-Schlüssel verwenden',
    addresses: 'Adressen selbst eingeben',
    scopes: 'Andere Berechtigungen verlangen',
    pkceWhenListed: 'Ohne diese Pflicht verbinden',
    editAddress: 'Adresse ändern',
    port: 'Port ändern',
    storage: 'Zum Speicher',
    logs: 'Protokolle öffnen',
    diagnosis: 'Jede Anfrage ansehen',
    signIn: 'Neu anmelden',
    grant: 'Zugriff erlauben',
    remove: 'Diesen Server entfernen',
    settings: 'Seine Einstellungen öffnen',
    review: 'Änderungen ansehen',
    sendAnyway: 'Trotzdem senden',
    withoutResource: 'Ohne Nennung des Servers versuchen',
    dismiss: 'Ausblenden',
  },
};

export const noteWords: Translated<typeof englishNoteWords> = {
  'no-resource-metadata': 'Der Server nennt keinen Anmeldedienst; seine eigene Adresse wurde verwendet.',
  'authorization-server-skipped':
    'Ein Anmeldedienst, den der Server nennt, war nicht verwendbar; der nächste wurde genommen.',
  'challenge-metadata-url-unusable':
    'Der Server verwies auf ein Dokument, das nicht lesbar war; das am üblichen Ort wurde verwendet.',
  'issuer-subdomain': 'Der Anmeldedienst nennt sich mit einer anderen Subdomain. Beide gehören zu einer Domain.',
  'issuer-trailing-slash': 'Der Anmeldedienst nennt sich mit einem Schrägstrich mehr oder weniger.',
  'issuer-origin': 'Als Anmeldedienst gilt die eigene Adresse des Servers.',
  'issuer-by-copy': 'Der Server wiederholt nur, was ein Anmeldedienst von sich sagt. Der Dienst sagte dasselbe.',
  'host-confusable':
    'Die Adresse hat Buchstaben, die wie andere aussehen, und ist leicht zu verwechseln. Lesen Sie sie Buchstabe für Buchstabe.',
  'another-account': 'Der Dienst antwortete für ein anderes Konto als bisher. Prüfen Sie, ob es das gewünschte ist.',
  'address-changed':
    'Die Adresse wurde außerhalb von Postern geändert. Ihre bisherige Anmeldung wurde nicht an die neue gesendet.',
  'registered-without-scope': 'Der Dienst hat Postern nur ohne die verlangten Berechtigungen registriert.',
  'registered-with-five-members': 'Der Dienst hat Postern nur mit den nötigsten Angaben registriert.',
  'registration-status-not-201':
    'Der Dienst antwortete bei der Registrierung von Postern mit einem ungewöhnlichen Status.',
  'authentication-method-not-told': 'Der Dienst sagte nicht, wie das Client-Secret zu senden ist.',
  'other-client-authentication': 'Der Dienst nahm das Client-Secret nur auf einem anderen Weg an als erwartet.',
  'registered-again':
    'Die Anmeldeseite hat beim letzten Mal nicht geantwortet, deshalb hat sich Postern bei dem Dienst neu registriert.',
  'client-document-refused':
    'Der Dienst lehnte das veröffentlichte Dokument ab, in dem steht, wer Postern ist; Postern hat sich stattdessen registriert.',
  'metadata-partly-unusable':
    'Teile der veröffentlichten Angaben zur Anmeldung waren unbrauchbar und wurden weggelassen.',
  'pkce-not-listed': 'Der Dienst nennt PKCE nicht; die Anmeldung war trotzdem damit geschützt.',
  'secret-for-public-client': 'Der Dienst gab ein Secret, das er nicht sehen will.',
  'resource-refused':
    'Der Dienst lehnt es ab, dass der Server genannt wird, für den der Zugriff ist; Postern lässt das weg.',
  'token-status-not-200': 'Der Dienst antwortete mit einem ungewöhnlichen Status, als er den Zugriff gab.',
  'token-type-missing': 'Der Dienst sagte nicht, welche Art von Zugriff er gab; die übliche wurde angenommen.',
  'token-not-bound': 'Der Dienst kann den Zugriff an einen Schlüssel dieses Computers binden, hat es aber nicht getan.',
  'refresh-token-empty': 'Der Dienst gab ein unbrauchbares Refresh-Token; es wurde nicht beachtet.',
  'expires-in-unusable': 'Der Dienst sagte auf ungewöhnliche Weise, wie lange der Zugriff gilt.',
  'scope-unusable': 'Der Dienst sagte auf ungewöhnliche Weise, welche Berechtigungen er gab.',
  'legacy-endpoints': 'Die Adressen älterer Server werden angenommen.',
  'typed-endpoints': 'Die Adressen des Anmeldedienstes sind die, die Sie eingegeben haben.',
  'newer-address':
    'Die eingegebene Adresse endet auf /sse; verwendet wird die neuere desselben Servers, die auf /mcp endet.',
  'old-transport': 'Der Server spricht den alten Transport von MCP, HTTP+SSE von 2024.',
};
