import type { Translated } from '../../language.ts';
import type {
  CallbackWords,
  credentialWords as englishCredentialWords,
  signInBarWords as englishSignInBarWords,
  signInWords as englishSignInWords,
} from '../en/sign-in-words.ts';

export const signInWords: Translated<typeof englishSignInWords> = {
  inPopup: {
    title: 'Weiter im geöffneten Fenster',
    text: 'Die Leiste des Fensters zeigt, auf welcher Seite Sie sind.',
  },
  inBrowser: {
    title: 'Weiter in Ihrem Browser',
    text: 'Wenn Sie dort fertig sind, macht Postern von selbst weiter.',
  },
  notOpened: {
    title: 'Öffnen Sie die Anmeldeseite selbst',
    text: 'Postern konnte keinen Browser öffnen. Kopieren Sie die Adresse, und öffnen Sie sie in einem.',
  },
  openAgain: 'Noch einmal öffnen',
  showWindow: 'Fenster anzeigen',
  useBrowser: 'Stattdessen meinen Browser nutzen',
  copyLink: 'Adresse kopieren',
  linkCopied: 'Adresse kopiert',
  linkExpires: (time) => `Öffnen Sie die kopierte Adresse innerhalb von ${time} Minuten. Danach läuft sie ab.`,
  linkExpired: 'Die kopierte Adresse ist abgelaufen. Kopieren Sie sie noch einmal.',
  timeLeftLabel: (time) => `noch ${time} Minuten`,
  waits:
    'Sie können diese Seite verlassen, solange sie wartet. Läuft die Zeit ab, starten Sie neu: Was Sie eingegeben haben, bleibt erhalten.',
  trouble: 'Probleme bei der Anmeldung?',
  pasteText:
    'Ein Browser auf einem anderen Computer findet nicht zu Postern zurück. Kopieren Sie die ganze Adresse dieser Seite, und fügen Sie sie hier ein.',
  pasteLabel: 'Adresse der Seite, die nicht lädt',
  pasteButton: 'Diese Adresse verwenden',
  pasteVerdict: {
    done: 'Das hat geklappt. Die Anmeldung wird abgeschlossen.',
    refused: 'Die Anmeldeseite sagt, dass der Zugriff abgelehnt wurde.',
    failed: 'Die Adresse stimmt, aber die Anmeldung ist beim Dienst fehlgeschlagen.',
    expired: 'Diese Adresse ist abgelaufen. Starten Sie die Anmeldung neu.',
    used: 'Diese Adresse wurde schon verwendet.',
    'opened-twice':
      'Der Anmeldelink wurde zweimal geöffnet, deshalb hat Postern die Anmeldung gestoppt. Starten Sie sie neu.',
    superseded: 'Sie haben für diesen Server eine neuere Anmeldung begonnen. Schließen Sie diese ab.',
    'not-valid':
      'Diese Adresse gehört nicht zu dieser Anmeldung. Kopieren Sie die ganze Adresse der Seite, die nicht geladen hat.',
  },
  deviceText: 'Oder melden Sie sich mit einem Code auf einem beliebigen Gerät an. Es muss nicht dieser Computer sein.',
  useDevice: 'Mit einem Code anmelden',
  device: {
    title: 'Geben Sie diesen Code ein',
    text: 'Öffnen Sie diese Seite auf einem beliebigen Gerät, und geben Sie dort den Code ein. Postern macht dann von selbst weiter.',
    code: 'Code',
    open: 'Seite hier öffnen',
    copyLink: 'Link mit dem Code kopieren',
    back: 'Stattdessen einen Browser nutzen',
    compare:
      'Wenn Sie den Link nutzen, prüfen Sie, ob die Seite denselben Code zeigt. Geben Sie ihn an niemanden weiter.',
    doNotShare: 'Geben Sie den Code an niemanden weiter.',
  },
};

export const credentialWords: Translated<typeof englishCredentialWords> = {
  again: (host) => `Ihre OAuth-App bei ${host} prüfen`,
  description: 'Dieser Dienst verlangt eine eigene OAuth-App. Sie richten sie nur einmal ein.',
  nonInteractive:
    'Es öffnet sich keine Anmeldeseite. Der Dienst erkennt die OAuth-App an ihrer ID und ihrem Secret oder Schlüssel.',
  stepCreate: (service) => `OAuth-App bei ${service} anlegen`,
  stepPaste: 'ID und Secret von dort einfügen',
  callback: 'Tragen Sie dort diese Callback- oder Redirect-URL ein:',
  callbackLabel: 'Callback-URL',
  callbackHint: 'Sie muss Zeichen für Zeichen übereinstimmen. Auf diesem Computer ist sie für Postern reserviert.',
  permissions: 'Erlauben Sie dort diese Berechtigungen:',
  scopesHint: 'Tools schlagen fehl, wenn eine nötige Berechtigung fehlt. Klicken Sie eine an, um sie anzufordern.',
  noScopes: 'Der Dienst nennt keine Berechtigungen. Wählen Sie dort, was Sie nutzen möchten.',
  clientId: 'Client-ID',
  clientIdMissing: 'Geben Sie die Client-ID ein.',
  clientSecret: 'Client-Secret',
  secretHint:
    'Lassen Sie es leer, wenn Sie keines haben. Sie können auch einen privaten Schlüssel (PEM oder JWK) einfügen.',
  secretStored: 'gespeichert',
  secretStoredText: 'Postern hat das eingegebene Secret.',
  secretOfOther: 'Das vorhin eingegebene Secret gehört zu einer anderen ID. Geben Sie das Secret zu dieser ID ein.',
  unknownClient: {
    pair: 'Der Dienst kennt diese ID mit diesem Secret nicht.',
    idAlone: 'Der Dienst kennt diese ID nicht, oder er verlangt ein Secret dazu.',
  },
  unknownClientHint:
    'Vergleichen Sie beides mit Ihrer OAuth-App beim Dienst. Vielleicht wurde das Secret dort ersetzt.',
  replace: 'Ersetzen',
  keep: 'Bisheriges Secret behalten',
  looksLikeSecret: 'Das sieht wie ein Client-Secret aus, nicht wie die ID.',
  looksLikeAddress: 'Das ist eine Adresse, keine Client-ID.',
  useAsSecret: 'Als Secret verwenden',
  useAsId: 'Als ID verwenden',
  tryAgain: 'Ohne OAuth-App noch einmal versuchen',
  tryAgainHint:
    'Vielleicht ist das Problem vorübergehend. Versuchen Sie es noch einmal, oder geben Sie eine eigene OAuth-App ein.',
  tryAgainAfter: (time) =>
    `Das Problem ist vorübergehend. Versuchen Sie es ${time === undefined ? 'später' : `nach ${time}`} noch einmal. Wenn das nicht hilft, geben Sie eine eigene OAuth-App ein.`,
  advanced: 'Erweitert',
  scopes: 'Angeforderte Berechtigungen',
  scopesFieldHint: 'Durch Leerzeichen getrennt. Ersetzt die Auswahl oben.',
  secretExpires: 'Das Secret läuft ab am',
  secretExpiresHint: 'Falls der Dienst ein Datum nennt. Postern erinnert Sie sieben Tage vorher.',
  clientAuthentication: 'Wie das Secret gesendet wird',
  authentication: {
    auto: 'Automatisch',
    client_secret_basic: 'Im Header (client_secret_basic)',
    client_secret_post: 'Im Formular (client_secret_post)',
    none: 'Kein Secret (none)',
  },
  resource: 'Adresse des Servers mit der Anmeldeanfrage senden (resource)',
  resourceHint: 'Manche Dienste lehnen Parameter ab, die sie nicht kennen.',
  pkce: 'PKCE',
  pkcePolicy: {
    'when-listed': 'Wenn der Dienst es nennt',
    always: 'Immer',
    required: 'Pflicht: Dienste ohne PKCE ablehnen',
  },
};

export const callbackWords: CallbackWords = {
  done: {
    title: 'Zurück zu Postern',
    sentence: 'Sie können diesen Tab schließen. Postern schließt die Anmeldung ab.',
  },
  refused: {
    title: 'Nicht angemeldet',
    sentence:
      'Die Anmeldeseite hat den Zugriff nicht erlaubt. Schließen Sie diesen Tab. Postern zeigt, wie es weitergeht.',
  },
  expired: {
    title: 'Diese Anmeldung ist beendet',
    sentence:
      'Sie hat zu lange gedauert, wurde abgebrochen oder schon verwendet. Schließen Sie diesen Tab, und starten Sie die Anmeldung in Postern neu.',
  },
  failed: {
    title: 'Nicht angemeldet',
    sentence:
      'Postern konnte die Antwort der Anmeldeseite nicht verwenden. Schließen Sie diesen Tab. Postern zeigt, wie es weitergeht.',
  },
  used: {
    title: 'Schon erledigt',
    sentence: 'Diese Anmeldeseite hat schon geantwortet. Sie können diesen Tab schließen. Postern zeigt das Ergebnis.',
  },
  superseded: {
    title: 'Diese Anmeldung ist beendet',
    sentence:
      'Sie haben für diesen Server eine neuere Anmeldung begonnen. Schließen Sie diesen Tab, und schließen Sie die neuere ab.',
  },
  'opened-twice': {
    title: 'Diese Anmeldung wurde gestoppt',
    sentence:
      'Ihr Link wurde zweimal geöffnet, von jemand anderem auf diesem Computer oder von Software, die Links vorab öffnet. Schließen Sie diesen Tab, und starten Sie die Anmeldung in Postern neu.',
  },
  'not-valid': {
    title: 'Nichts ist passiert',
    sentence:
      'Dieser Link gehört nicht zur laufenden Anmeldung. Vielleicht haben Sie eine neuere begonnen. Sie können diesen Tab schließen.',
  },
  unknown: {
    title: 'Seite nicht gefunden',
    sentence: 'Diese Adresse ist nur für Anmeldungen von Postern. Sie können diesen Tab schließen.',
  },
};

export const signInBarWords: Translated<typeof englishSignInBarWords> = {
  notEncrypted: 'Unverschlüsselt',
  useBrowser: 'Stattdessen meinen Browser nutzen',
  tryAgain: 'Erneut versuchen',
  needs: {
    'second-window': 'Die Seite will ein zweites Fenster öffnen, was dieses Fenster nicht kann. Ihr Browser kann es.',
    passkey: 'Passkeys und Sicherheitsschlüssel funktionieren in diesem Fenster oft nicht. In Ihrem Browser schon.',
  },
  notLoaded: 'Die Anmeldeseite wurde nicht geladen',
  failed: {
    offline: () => 'Dieser Computer ist offline. Verbinden Sie ihn, und versuchen Sie es noch einmal.',
    'no-such-host': (host) =>
      `${host} wurde nicht gefunden. Prüfen Sie Ihre Verbindung, oder versuchen Sie es mit Ihrem Browser.`,
    refused: (host) => `${host} hat die Verbindung abgelehnt. Versuchen Sie es mit Ihrem Browser.`,
    closed: (host) =>
      `${host} hat die Verbindung geschlossen, bevor die Seite geladen war. Versuchen Sie es mit Ihrem Browser.`,
    'too-slow': (host) => `${host} hat zu lange nicht geantwortet. Versuchen Sie es mit Ihrem Browser.`,
    unreachable: (host) => `${host} ist von diesem Computer aus nicht erreichbar. Versuchen Sie es mit Ihrem Browser.`,
    certificate: (host) =>
      `Das Zertifikat von ${host} ist ungültig, vielleicht ist das gar nicht ${host}. Fahren Sie in Ihrem Browser nur fort, wenn er keine Warnung zeigt.`,
    encryption: (host) =>
      `Postern konnte keine verschlüsselte Verbindung zu ${host} herstellen. Versuchen Sie es mit Ihrem Browser.`,
    proxy: (host) =>
      `Der Proxy Ihres Netzes hat die Verbindung zu ${host} blockiert. Versuchen Sie es mit Ihrem Browser.`,
    redirects: (host) => `${host} hat dieses Fenster zu oft weitergeleitet. Versuchen Sie es mit Ihrem Browser.`,
    'empty-error': (host) => `${host} hat einen Fehler und keine Seite geliefert. Versuchen Sie es mit Ihrem Browser.`,
    other: (host) => `Die Seite von ${host} wurde nicht geladen. Versuchen Sie es mit Ihrem Browser.`,
  },
};
