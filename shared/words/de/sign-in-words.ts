import type { Translated } from '../../language.ts';
import type {
  CallbackWords,
  credentialWords as englishCredentialWords,
  signInBarWords as englishSignInBarWords,
  signInWords as englishSignInWords,
} from '../en/sign-in-words.ts';

export const signInWords: Translated<typeof englishSignInWords> = {
  title: (host) => `Bei ${host} anmelden`,
  inPopup: 'Ein Fenster mit der Anmeldeseite ist offen. Seine Leiste zeigt, wo Sie sind.',
  inBrowser:
    'Die Anmeldeseite ist in Ihrem Browser offen. Kommen Sie hierher zurück, wenn sie sagt, dass Sie fertig sind.',
  notOpened: 'Es konnte kein Browser geöffnet werden. Kopieren Sie den Link, und öffnen Sie ihn, wo Sie möchten.',
  openAgain: 'Noch einmal öffnen',
  showAgain: 'Fenster zeigen',
  useBrowser: 'Lieber in meinem Browser',
  copyLink: 'Link kopieren',
  linkCopied: 'Link kopiert',
  linkEnds: (time) =>
    `Öffnen Sie den kopierten Link innerhalb von ${time} Minuten: Danach hat ihn der Dienst vergessen.`,
  linkEnded: 'Der Dienst hat den kopierten Link vergessen. Kopieren Sie ihn noch einmal.',
  cancel: 'Anmeldung abbrechen',
  timeLeft: 'übrig',
  timeLeftLabel: (time) => `noch ${time} Minuten`,
  pasteTitle: 'Endete der Browser auf einer Seite, die nicht lädt?',
  pasteText:
    'Das passiert, wenn der Browser auf einem anderen Computer läuft. Kopieren Sie die ganze Adresse dieser Seite, und fügen Sie sie hier ein.',
  pasteLabel: 'Adresse, auf der Sie gelandet sind',
  pasteButton: 'Diese Adresse verwenden',
  pasteVerdict: {
    done: 'Das ist sie. Wird abgeschlossen.',
    refused: 'Die Anmeldeseite sagt, dass der Zugriff abgelehnt wurde.',
    failed: 'Das ist die Antwort, aber die Anmeldung ist beim Dienst fehlgeschlagen.',
    expired: 'Diese Adresse ist zu alt. Beginnen Sie die Anmeldung neu.',
    used: 'Diese Antwort kam schon einmal.',
    'opened-twice': 'Der Link dieser Anmeldung wurde zweimal geöffnet, deshalb wurde sie gestoppt. Beginnen Sie neu.',
    superseded: 'Für diesen Server wurde eine neuere Anmeldung begonnen. Schließen Sie diese ab.',
    'not-valid':
      'Das ist nicht die Antwort auf diese Anmeldung. Kopieren Sie die ganze Adresse der Seite, die nicht geladen hat.',
  },
  deviceText:
    'Oder holen Sie einen Code, den Sie auf einem beliebigen Gerät eingeben. Zu diesem Computer muss nichts zurückkommen.',
  useDevice: 'Mit einem Code anmelden',
  device: {
    text: 'Öffnen Sie diese Seite auf einem beliebigen Gerät, und geben Sie den Code ein. Danach geht es hier von selbst weiter.',
    page: 'Seite',
    code: 'Code',
    open: 'Seite hier öffnen',
    copyLink: 'Link mit dem Code kopieren',
    back: 'Lieber mit einem Browser hier',
    compare:
      'Wenn Sie den Link nutzen: Vergleichen Sie den Code mit dem auf der Seite. Geben Sie ihn niemandem weiter.',
    nobody: 'Geben Sie den Code niemandem weiter.',
  },
  leaves: 'Sie können inzwischen etwas anderes tun; die Anmeldung wartet hier.',
};

export const credentialWords: Translated<typeof englishCredentialWords> = {
  title: (host) => `Eine eigene App bei ${host}`,
  again: (host) => `App bei ${host} prüfen`,
  description: 'Sie legen beim Dienst einmal eine „OAuth-App“ an und bringen ihre ID hierher.',
  withoutPerson:
    'Es öffnet sich keine Anmeldeseite: Der Dienst gibt den Zugriff einer App, die er kennt, mit ihrer ID und ihrem Secret oder Schlüssel.',
  stepCallback: 'Tragen Sie dort diese Adresse als Redirect- oder Callback-URL ein',
  callbackLabel: 'Callback-URL',
  callbackHint: 'Sie muss auf den Buchstaben stimmen. Auf diesem Computer gehört sie Postern.',
  stepScopes: 'Erlauben Sie dort diese Berechtigungen',
  scopesHint: 'Fehlt eine Berechtigung, die ein Tool braucht, schlägt es fehl. Klicken Sie an, was verlangt wird.',
  noScopes: 'Der Dienst nennt keine Berechtigungen. Wählen Sie dort, was Sie nutzen möchten.',
  stepCredentials: 'Bringen Sie mit, was Sie dort bekommen',
  server: 'MCP-Server',
  clientId: 'Client-ID',
  clientIdMissing: 'Die Client-ID fehlt.',
  clientSecret: 'Client-Secret',
  secretHint:
    'Lassen Sie es leer, wenn Sie keines bekommen haben. Auch ein privater Schlüssel (PEM oder JWK) gehört hierher.',
  secretKept: 'gespeichert',
  secretKeptText: 'Das eingegebene Secret ist gespeichert.',
  secretOfOther: 'Das Secret von vorhin gehörte zur früheren ID. Geben Sie das zu dieser ID ein.',
  unknownClient: {
    pair: 'Der Dienst kennt diese ID mit diesem Secret nicht.',
    idAlone: 'Der Dienst kennt diese ID nicht, oder er verlangt ein Secret dazu.',
  },
  unknownClientHint:
    'Vergleichen Sie beides mit dem, was der Dienst für Ihre App zeigt; vielleicht wurde dort ein Secret ersetzt.',
  replace: 'Ersetzen',
  keep: 'Altes behalten',
  looksLikeSecret: 'Das sieht wie ein Client-Secret aus, nicht wie die ID.',
  looksLikeAddress: 'Das ist eine Adresse, keine Client-ID.',
  move: 'Zum Secret verschieben',
  useAnyway: 'Es ist die ID',
  later: 'Jetzt nicht',
  submit: 'Speichern und anmelden',
  submitAgain: 'Damit versuchen',
  tryAgain: 'Ohne App noch einmal versuchen',
  tryAgainHint:
    'Vielleicht war es nur eine kurze Störung: Versuchen Sie es noch einmal, oder geben Sie eine eigene App ein.',
  tryAgainAfter: (time) =>
    `Das ist eine kurze Störung: Versuchen Sie es ${time === undefined ? 'etwas später' : `nach ${time}`} noch einmal. Bleibt es so, geben Sie eine eigene App ein.`,
  advanced: 'Erweitert',
  scopes: 'Verlangte Berechtigungen',
  scopesFieldHint: 'Durch Leerzeichen getrennt, statt der Auswahl oben.',
  secretEnds: 'Das Secret endet am',
  secretEndsHint: 'Falls der Dienst das sagt. Postern erinnert Sie sieben Tage vorher.',
  clientAuthentication: 'Wie das Secret gesendet wird',
  authentication: {
    auto: 'Wie der Dienst es sagt',
    client_secret_basic: 'Im Header (client_secret_basic)',
    client_secret_post: 'Im Formular (client_secret_post)',
    none: 'Kein Secret (none)',
  },
  resource: 'Den Server in der Anfrage nennen (resource)',
  resourceHint: 'Manche Dienste lehnen einen Parameter ab, den sie nicht kennen.',
  pkce: 'PKCE',
  pkcePolicy: {
    'when-listed': 'Wo der Dienst es nennt',
    always: 'Immer',
    required: 'Pflicht: Dienste ohne PKCE ablehnen',
  },
};

/** The same in German. */
export const callbackWords: CallbackWords = {
  done: {
    title: 'Zurück zu Postern',
    sentence: 'Die Anmeldeseite hat geantwortet. Sie können diesen Tab schließen; den Rest macht Postern.',
  },
  refused: {
    title: 'Nicht angemeldet',
    sentence:
      'Auf der Anmeldeseite wurde der Zugriff nicht erlaubt. Sie können diesen Tab schließen; Postern zeigt, wie es weitergeht.',
  },
  expired: {
    title: 'Diese Anmeldung ist vorbei',
    sentence:
      'Sie hat zu lange gedauert, wurde abgebrochen oder schon verwendet. Schließen Sie diesen Tab, und beginnen Sie in Postern neu.',
  },
  failed: {
    title: 'Nicht angemeldet',
    sentence:
      'Die Antwort der Anmeldeseite war nicht verwendbar, deshalb hat Postern aufgehört. Schließen Sie diesen Tab; Postern zeigt, wie es weitergeht.',
  },
  used: {
    title: 'Schon beantwortet',
    sentence:
      'Die Anmeldeseite hat schon einmal geantwortet. Sie können diesen Tab schließen; Postern zeigt, wie es ausging.',
  },
  superseded: {
    title: 'Diese Anmeldung ist vorbei',
    sentence:
      'Für diesen Server wurde eine neuere Anmeldung begonnen. Schließen Sie diesen Tab, und schließen Sie die neuere ab.',
  },
  'opened-twice': {
    title: 'Diese Anmeldung wurde gestoppt',
    sentence:
      'Ihr Link wurde zweimal geöffnet: von jemand anderem auf diesem Computer oder von einem Programm, das Links vorab ansieht. Schließen Sie diesen Tab, und beginnen Sie in Postern neu.',
  },
  'not-valid': {
    title: 'Nichts ist passiert',
    sentence:
      'Dieser Link gehört nicht zu der Anmeldung, auf die Postern wartet; vielleicht wurde eine neuere begonnen. Sie können diesen Tab schließen.',
  },
  unknown: {
    title: 'Hier ist nichts',
    sentence:
      'Unter dieser Adresse beantwortet Postern nur die Rückkehr von einer Anmeldung. Sie können diesen Tab schließen.',
  },
};

export const signInBarWords: Translated<typeof englishSignInBarWords> = {
  notEncrypted: 'Unverschlüsselt',
  useBrowser: 'Lieber in meinem Browser',
  tryAgain: 'Erneut versuchen',
  needs: {
    'second-window': 'Das öffnet ein zweites Fenster, und dieses kann keines öffnen. Ihr Browser kann es.',
    passkey: 'Passkeys und Sicherheitsschlüssel gehen in diesem Fenster oft nicht. In Ihrem Browser schon.',
  },
  notLoaded: 'Die Anmeldeseite konnte nicht geladen werden',
  failed: {
    offline: () => 'Dieser Computer hat keine Internetverbindung. Versuchen Sie es wieder, sobald er eine hat.',
    'no-such-host': (host) =>
      `Unter ${host} wurde nichts gefunden. Prüfen Sie Ihre Verbindung, oder fragen Sie den Dienst nach der Adresse. Ihr Browser kommt vielleicht hin.`,
    refused: (host) => `${host} nimmt gerade keine Verbindungen an. Ihr Browser kommt vielleicht hin.`,
    closed: (host) =>
      `${host} hat die Verbindung geschlossen, bevor die Seite da war. Ihr Browser kommt vielleicht hin.`,
    'too-slow': (host) => `${host} hat zu lange nicht geantwortet. Ihr Browser kommt vielleicht hin.`,
    unreachable: (host) => `${host} ist von diesem Computer aus nicht erreichbar. Ihr Browser kommt vielleicht hin.`,
    certificate: (host) =>
      `Das Zertifikat von ${host} ist ungültig; wer antwortet, ist also vielleicht nicht ${host}. Fahren Sie in Ihrem Browser nur fort, wenn er die Seite ohne Warnung zeigt.`,
    encryption: (host) => `Zu ${host} kam keine verschlüsselte Verbindung zustande. Ihr Browser kommt vielleicht hin.`,
    proxy: (host) =>
      `Der Proxy Ihres Netzes hat die Verbindung zu ${host} nicht durchgelassen. Ihr Browser kommt vielleicht hin.`,
    redirects: (host) =>
      `${host} hat dieses Fenster endlos von einer Adresse zur nächsten geschickt. Ihr Browser kommt vielleicht hin.`,
    'empty-error': (host) => `${host} antwortete mit einem Fehler und ohne Seite. Ihr Browser kommt vielleicht hin.`,
    other: (host) => `Die Seite von ${host} kam nicht an. Ihr Browser kommt vielleicht hin.`,
  },
};
