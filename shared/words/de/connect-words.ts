import type { Translated } from '../../language.ts';
import type { discoveryStepWords as englishDiscoveryStepWords } from '../../status-words.ts';
import type {
  connectWords as englishConnectWords,
  endpointWords as englishEndpointWords,
  hostsWords as englishHostsWords,
  localWords as englishLocalWords,
  nonInteractiveWords as englishNonInteractiveWords,
} from '../en/connect-words.ts';

const nonInteractiveWords: Translated<typeof englishNonInteractiveWords> = {
  title: 'Ohne Anmeldeseite',
  text: 'Manche Dienste melden die OAuth-App selbst an, oder alle, die bei Ihrer Firma schon angemeldet sind.',
  label: 'Wer angemeldet wird',
  choices: {
    app: 'Die OAuth-App selbst (Client Credentials)',
    appHint:
      'Sie geben die ID und das Secret oder den Schlüssel einer OAuth-App ein. Aufrufe laufen unter dieser App, nicht unter Ihrem Namen.',
    provider: (name) => `Sie, über ${name}`,
    providerHint:
      'Der Identitätsanbieter Ihrer Firma teilt dem Dienst mit, wer Sie sind. Die OAuth-App stellt Ihre Firma bereit.',
    file: 'Die Identität aus einer Datei (JWT-Assertion)',
    fileHint:
      'Ein Cluster oder eine Cloud schreibt ein signiertes JWT hinein und erneuert es. Postern liest die Datei jedes Mal und kopiert sie nie.',
  },
  providers:
    'Um den Identitätsanbieter Ihrer Firma hier zu wählen, verbinden Sie ihn zuerst. Prüfen Sie seine Adresse wie die eines Servers, und wählen Sie dann „Als unseren Identitätsanbieter verwenden“.',
  file: {
    choose: 'Datei auswählen…',
    chooseOther: 'Andere Datei auswählen…',
    needed: 'Wählen Sie zuerst eine Datei aus.',
  },
};

const discoveryStepWords: Translated<typeof englishDiscoveryStepWords> = {
  waiting: {
    probe: 'Wartet mit der Anfrage an den Server',
    'tools-probe': 'Wartet mit der Frage nach seinen Tools',
    'resource-metadata': 'Wartet mit der Frage, wo man sich anmeldet',
    'authorization-server-metadata': 'Wartet mit der Frage, wie man sich anmeldet',
    method: 'Wartet mit der Wahl der Anmeldeart',
  },
  started: {
    probe: 'Server wird kontaktiert',
    'tools-probe': 'Tools werden abgefragt',
    'resource-metadata': 'Anmeldedienst wird gesucht',
    'authorization-server-metadata': 'Anmeldeangaben werden gelesen',
    method: 'Anmeldeart wird gewählt',
  },
  found: {
    probe: 'Der Server antwortet',
    'tools-probe': 'Der Server hat auf die Frage nach seinen Tools geantwortet',
    'resource-metadata': 'Der Server sagt, wo man sich anmeldet',
    'authorization-server-metadata': 'Der Anmeldedienst sagt, wie man sich anmeldet',
    method: 'Anmeldeart gefunden',
  },
  'not-found': {
    probe: 'Der Server antwortet, ohne eine Anmeldung zu verlangen',
    'tools-probe': 'Auch seine Tools verlangen keine Anmeldung',
    'resource-metadata': 'Der Server sagt nicht, wo man sich anmeldet',
    'authorization-server-metadata': 'Der Anmeldedienst sagt nicht, wie man sich anmeldet',
    method: 'Keine Anmeldung gefunden',
  },
  failed: {
    probe: 'Der Server gab keine brauchbare Antwort',
    'tools-probe': 'Der Server hat keine brauchbare Liste seiner Tools gesendet',
    'resource-metadata': 'Die Angabe, wo man sich anmeldet, war nicht lesbar',
    'authorization-server-metadata': 'Die Angabe, wie man sich anmeldet, war nicht lesbar',
    method: 'Die Anmeldeart ließ sich nicht bestimmen',
  },
};

function listApps(names: readonly string[]): string {
  if (names.length < 3) return names.join(' und ');
  const [first = '', second = '', third = ''] = names;
  return `${first}, ${second} und ${names.length === 3 ? third : `${names.length - 2} weiteren`}`;
}

export const connectWords: Translated<typeof englishConnectWords> = {
  title: 'Server verbinden',
  firstTitle: (apps) =>
    apps.length === 1 || apps.length === 2
      ? `Ihre Dienste in ${apps.join(' und ')} nutzen`
      : 'Ihre Dienste in allen KI-Apps nutzen',
  firstIntro:
    'Melden Sie sich hier einmal an. Dann nutzt es jede KI-App auf diesem Computer. Keine sieht Ihr Passwort oder ein Token.',
  intro: 'Einmal anmelden, dann nutzen es alle KI-Apps auf diesem Computer.',
  address: 'Serveradresse oder Name',
  placeholder: 'Notion, GitHub, eine Adresse, oder fügen Sie etwas ein',
  willCheck: (url) => `Prüft ${url}`,
  willOpen: (name) => `Die Eingabetaste öffnet ${name}`,
  inputNotes: {
    another: 'Zweites Konto hinzufügen',
    services: (name) => `Welchen Dienst meinen Sie mit „${name}“?`,
    several: 'Welche Adresse möchten Sie verbinden?',
    local: (app) => `„${app}“ ist ein Befehl für diesen Computer, keine Adresse.`,
    localMore: 'Er wurde noch nicht ausgeführt. Prüfen Sie ihn, bevor Sie ihn erlauben.',
    reviewCommand: 'Befehl prüfen',
    unknownName: (name) => `Postern kennt keinen Dienst namens „${name}“, und es ist keine Adresse.`,
    unknownNameMore: 'Fügen Sie die Adresse des MCP-Servers ein. Sie steht in der Dokumentation des Dienstes.',
    text: 'Dieser Text enthält keine Adresse.',
    textMore: 'Fügen Sie die Adresse eines MCP-Servers ein. Oft endet sie auf /mcp.',
  },
  continue: 'Verbinden',
  checkAgain: 'Neu prüfen',
  local: 'Dieser Server läuft auf meinem Computer oder im internen Netz',
  localHint: 'Erlaubt nur für diesen Server Adressen, die nicht im öffentlichen Internet sind.',
  dropHere: 'Link oder mcp.json hier ablegen',
  demoName: 'Demo-Server',
  quickStart: {
    title: 'Schon auf diesem Computer',
    demoTitle: 'Nur mal ansehen?',
    demo: 'Ein paar Notizen zum Lesen und Schreiben. Probieren Sie alles ohne Konto aus.',
    tryDemo: 'Demo ausprobieren',
    firstTry: 'Nur mal ausprobieren?',
    firstTryText: (does) => `${does}. Ohne Konto.`,
    servers: (count, names) => `${count.toLocaleString('de')} Server in ${listApps(names)}`,
    serversText: 'Einmal hier anmelden, dann nutzen sie alle Ihre KI-Apps. Sie prüfen vorher jede Änderung.',
    bring: () => 'Hierher holen',
  },
  steps: discoveryStepWords,
  stepsLabel: 'Was Postern geprüft hat',
  nothingSent: 'Bisher hat Postern nur gefragt, wie man sich anmeldet. Ihre Daten hat es nicht gesendet.',
  verdict: {
    noSignIn: 'Keine Anmeldung nötig.',
    registersItself: 'Postern sieht Ihr Passwort nie.',
    publishedClient: 'Postern sieht Ihr Passwort nie.',
    needsOAuthApp: 'Legen Sie zuerst beim Dienst eine OAuth-App an, und melden Sie sich dann damit an.',
    couldNotTell: 'Der Server verlangt eine Anmeldung, sagt aber nicht, wie.',
    usesKey: 'Bereit zum Verbinden. Postern verwendet den mitgelieferten Schlüssel.',
  },
  card: {
    title: (name) => `${name} verbinden`,
    again: (name) => `Neu bei ${name} anmelden`,
    signInAt: ['Sie melden sich bei', ' an.'],
    more: (count) => `Und ${count} weitere, siehe Details.`,
    check: 'Bitte zuerst prüfen',
    onThisComputer: 'Er läuft auf diesem Computer.',
    details: 'Details',
  },
  known: (name) => `Schon verbunden als ${name}.`,
  knownText: 'Öffnen Sie ihn, oder fahren Sie fort, um ein zweites Konto hinzuzufügen.',
  openKnown: 'Server öffnen',
  namedService: (host) => `Der Server nennt ${host} als Anmeldedienst. Dieser sagt nicht, wie man sich anmeldet.`,
  namedServiceDown: (host) => `Der Server nennt ${host} als Anmeldedienst, der gerade Probleme hat.`,
  verdictMore: {
    noSignIn: (tools) =>
      tools === undefined
        ? 'Der Server hat nicht gefragt, wer Sie sind.'
        : `Der Server hat nicht gefragt, wer Sie sind. Er hat ${tools} ${tools === 1 ? 'Tool' : 'Tools'}.`,
    registersItself: (host) => `Postern registriert sich selbst bei ${host}. Vorbereiten müssen Sie nichts.`,
    publishedClient: (host) =>
      `${host} erkennt Postern an einem Dokument, das Postern veröffentlicht. Vorbereiten müssen Sie nichts.`,
    needsOAuthApp: (host) =>
      `${host} gibt Ihrer OAuth-App eine Client-ID. Postern zeigt Ihnen, was Sie dort eintragen und wohin die ID gehört.`,
    usesKey: 'Postern probiert den Schlüssel aus, wenn Sie den Server hinzufügen, und speichert ihn verschlüsselt.',
    couldNotTell: 'Versuchen Sie eine dieser Möglichkeiten. Der Betreiber des Servers weiß, welche die richtige ist.',
    namedService: 'Versuchen Sie eine dieser Möglichkeiten, oder fragen Sie den Betreiber des Servers.',
    namedServiceDown:
      'Prüfen Sie es später noch einmal. Wenn das nicht hilft, wenden Sie sich an den Betreiber des Servers.',
  },
  start: {
    noSignIn: () => 'Hinzufügen',
    registersItself: (name) => `Bei ${name} anmelden`,
    publishedClient: (name) => `Bei ${name} anmelden`,
    needsOAuthApp: () => 'OAuth-App einrichten',
    usesKey: () => 'Hinzufügen',
  },
  after: {
    popup: (host) => `Öffnet ein Anmeldefenster bei ${host}.`,
    browser: (host) => `Öffnet ${host} in Ihrem Browser.`,
    needsOAuthApp: 'Zwei Schritte, gleich hier.',
    noSignIn: 'Fügt den Server Ihrer Liste hinzu.',
  },
  name: 'Name',
  ownName: 'Der Name, den der Server selbst nennt',
  options: 'Optionen',
  another: 'Anderen Anmeldedienst verwenden',
  anotherHint: 'Der Server nennt mehrere.',
  howTitle: 'So läuft es ab',
  how: {
    ask: ['Postern prüft', 'Es findet heraus, wie man sich anmeldet, und zeigt es Ihnen zuerst.'],
    signIn: ['Sie melden sich an', 'Auf der Seite des Dienstes selbst. Postern fragt nie nach Ihrem Passwort.'],
    keep: [
      'Es bleibt verbunden',
      'Ihre Anmeldung liegt verschlüsselt auf diesem Computer und verlängert sich automatisch, wo der Dienst das erlaubt.',
    ],
    keepInMemory: [
      'Es bleibt verbunden',
      'Bis Sie Postern beenden, denn es gibt keinen Schlüsselbund für Ihre Anmeldung.',
    ],
  },
  route: {
    label: (server, service) =>
      service === undefined
        ? `Dieser Computer verbindet sich mit ${server}.`
        : `Dieser Computer verbindet sich mit ${server}. Sie melden sich bei ${service} an.`,
    computer: 'Dieser Computer',
    server: 'MCP-Server',
    service: 'Anmeldedienst',
    same: 'Server und Anmeldedienst',
    encrypted: 'verschlüsselt',
    plain: 'unverschlüsselt',
  },
  trust: {
    label: 'Bevor Sie sich anmelden',
    scopes: 'Berechtigungen',
    scopesNone: 'Keine angefordert. Der Dienst entscheidet.',
    pkce: 'Schutz vor Abfangen (PKCE)',
    pkceYes: 'Vor Abfangen geschützt',
    pkceUnlisted: 'Vor Abfangen geschützt, wenn der Dienst PKCE prüft, was er nicht bestätigt',
    pkceNo: 'Nicht vor Abfangen geschützt: Der Dienst sagt nicht, dass er diesen Schutz unterstützt',
    encryption: 'Verbindung',
    encryptedYes: 'Verschlüsselt',
    encryptedLocal: 'Bleibt auf diesem Computer',
    encryptedNo: 'Unverschlüsselt: Andere in Ihrem Netz könnten mitlesen',
    service: 'Anmeldedienst',
    exception: (named, issuer) =>
      `Der Server nennt ${named}, der sich als ${issuer} ausweist. Beide gehören zu einer Domain, können aber verschiedene Besitzer haben. Prüfen Sie, ob Sie beide erwartet haben.`,
    owner: 'Besitzer',
    differentOwner: (service, server) =>
      `Sie melden sich bei ${service} an, und ${server} bekommt die Anmeldung. Beide haben vielleicht verschiedene Besitzer. Das ist üblich, wenn eine Firma die Anmeldung für andere übernimmt. Prüfen Sie, ob Sie das erwartet haben.`,
    notes: 'Besonderheiten',
  },
  legacyTitle: 'Ein älterer Server?',
  legacyText: 'Server von vor Mitte 2025 nutzen vielleicht übliche Anmeldeadressen, ohne sie zu veröffentlichen.',
  legacyButton: 'Übliche Adressen ausprobieren',
  endpointsTitle: 'Kennen Sie die Adressen?',
  endpointsText: 'In der Dokumentation des Dienstes stehen vielleicht Authorization Endpoint und Token Endpoint.',
  endpointsButton: 'Diese Adressen verwenden',
  keyTitle: 'Ein API-Schlüssel?',
  keyText:
    'Manche Server nutzen statt einer Anmeldung einen Schlüssel. Postern speichert ihn wie ein Passwort und sendet ihn nur an diesen Server.',
  keyName: 'Header',
  keyValue: 'Schlüssel',
  keyValueHint: 'Genau so, wie der Dienst ihn zeigt, auch mit „Bearer …“, wenn es dort so steht.',
  keyStart: 'Mit diesem Schlüssel hinzufügen',
  nonInteractive: nonInteractiveWords,
  otherOptions: 'Anders verbinden',
  alternatives: {
    scopes: 'Andere Berechtigungen anfordern',
    ownOAuthApp: 'Eigene OAuth-App verwenden',
    key: 'Stattdessen API-Schlüssel verwenden',
    nonInteractive: 'Ohne Anmeldeseite verbinden',
    provider: 'Als unseren Identitätsanbieter verwenden',
    addresses: 'Adressen selbst eingeben',
  },
  scopesHint: 'Durch Leerzeichen getrennt. Der Betreiber des Dienstes weiß, welche er erteilt.',
  scopesButton: 'Mit diesen anmelden',
  importTitle: (count) => (count > 1 ? `${count} Server in dieser Liste` : 'Was Sie eingefügt haben'),
  importText:
    'Postern prüft jeden wie eine eingefügte Adresse. Ein Befehl läuft erst, wenn Sie ihn geprüft und erlaubt haben.',
  importMore: (count) =>
    `${count} ${count === 1 ? 'weiterer wird' : 'weitere werden'} nicht angezeigt. Um alle zu importieren: postern import DATEI`,
  unreadableEntry: (name, member) =>
    member === undefined
      ? `Postern konnte „${name}“ nicht lesen.`
      : `Postern konnte „${member}“ in „${name}“ nicht lesen.`,
  importLocal: (count) =>
    count === 1 ? 'Einer dieser Server läuft auf meinem Computer' : `${count} dieser Server laufen auf meinem Computer`,
  importLocalHint: 'Erlaubt nur für diese Server Adressen auf diesem Computer.',
  importConnect: 'Verbinden',
  importOpen: 'Öffnen',
  importAll: (count) => `${count} Server verbinden`,
  importAllProgress: 'Geprüfte Server',
  importAllDone: (done, total) => `${done} von ${total} fertig`,
  importAllSummary: ({ connected, waiting, failed, left }) =>
    [
      ...(connected > 0 ? [`${connected} verbunden.`] : []),
      ...(waiting > 0
        ? [
            `${waiting} ${waiting === 1 ? 'wartet' : 'warten'} auf Sie: Öffnen Sie ${waiting === 1 ? 'ihn' : 'sie'}, um fortzufahren.`,
          ]
        : []),
      ...(failed > 0 ? [`${failed} ${failed === 1 ? 'ließ' : 'ließen'} sich nicht verbinden.`] : []),
      ...(left > 0 ? [`${left} nicht versucht.`] : []),
    ].join(' '),
  importConnected: (name) => `Verbunden als ${name}`,
  importBack: 'Zurück zur Liste',
  importNotes: {
    'unwrapped-mcp-remote': 'Postern verbindet direkt, ohne mcp-remote',
    'header-to-fill-in': 'Sie müssen den Schlüssel eingeben',
    'url-to-fill-in': 'Sie müssen die Adresse vervollständigen',
    'local-command': '',
    'command-to-fill-in': 'Sie müssen den Befehl vervollständigen',
    'command-empty': 'der Befehl ist leer',
    'command-unusable': 'der Befehl ist zu lang oder enthält Zeichen, die sich nicht übergeben lassen',
    'switched-off': 'er ist in der App ausgeschaltet',
    'in-sandbox': 'die App führt ihn in einer Sandbox aus, Postern nicht',
    'members-unsupported': 'Postern kann nicht alles übernehmen, deshalb bleibt der Eintrag der App, wie er ist',
    'header-unusable': 'Header, die HTTP selbst braucht oder nicht senden kann, fehlen',
  },
  importHeaders: (names) => `mit einem Schlüssel (${names.join(', ')})`,
  working: {
    registering: (host) => `Postern registriert sich bei ${host}`,
    exchanging: 'Die Anmeldung wird abgeschlossen',
    ticketIssued: 'Ihre Anmeldung wird gespeichert',
    integrated: 'Verbunden',
  },
  credentialsWait: (host) => `${host} braucht eine Client-ID von Ihnen.`,
  pageLeft:
    'Ist die Anmeldeseite in Ihrem Browser noch offen, schließen Sie sie. Dort lässt sich diese Anmeldung nicht mehr abschließen.',
  callbackRefused:
    'Hat die Seite die Redirect- oder Callback-URL abgelehnt, tragen Sie dort diese für Ihre OAuth-App ein:',
  discard: 'Verwerfen',
  stop: 'Stoppen',
  startOver: 'Von vorn beginnen',
};

export const endpointWords: Translated<typeof englishEndpointWords> = {
  authorization: 'Authorization Endpoint',
  token: 'Token Endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Nur wenn der Dienst keine oder falsche veröffentlicht. Geben Sie beide oder keine ein.',
  mistakes: {
    missing: 'Geben Sie auch diese Adresse ein.',
    incomplete: 'Das ist keine vollständige Adresse. Sie muss mit https:// beginnen.',
  },
};

const list = new Intl.ListFormat('de', { type: 'conjunction' });

export const hostsWords: Translated<typeof englishHostsWords> = {
  title: 'Diese Anmeldung nutzt Hosts, die vielleicht verschiedene Besitzer haben',
  text: 'Manche Dienste arbeiten so, Phishing aber auch. Fahren Sie nur fort, wenn Sie diese Hosts erwartet haben.',
  page: 'Anmeldeseite',
  token: 'Erhält die Anmeldung',
  service: 'Anmeldedienst',
  agree: (hosts) => `Dieser Server darf ${list.format(hosts)} nutzen`,
  proceed: 'Fortfahren',
  stop: 'Abbrechen',
};

export const localWords: Translated<typeof englishLocalWords> = {
  open: 'Lokaler Befehl…',
  title: 'Ein Server, der auf diesem Computer läuft',
  intro:
    'Für einen Server, den Sie mit einem Befehl wie „npx …“ oder „docker run …“ starten. Sie prüfen ihn, bevor er läuft.',
  name: 'Name',
  command: 'Befehl',
  commandHint: 'Wie er in der Dokumentation steht. Er läuft ohne Shell: keine Pipes, keine $VARIABLEN.',
  folder: 'Ordner',
  folderHint: 'Das Arbeitsverzeichnis. Leer: Ihr persönlicher Ordner.',
  variables: 'Variablen',
  variablesHint: 'Er bekommt die üblichen Variablen und diese, sonst nichts. Postern verschlüsselt die Werte.',
  variableName: 'Name der Variable',
  variableValue: 'Wert',
  variableStored: 'aus der Liste',
  addVariable: 'Variable hinzufügen',
  removeVariable: (name) => (name === '' ? 'Variable entfernen' : `${name} entfernen`),
  review: 'Befehl prüfen',
  back: 'Ändern',
  close: 'Schließen',
  consentTitle: (name) => `„${name}“ führt das aus`,
  runs: 'Führt aus',
  enteredAs: 'Eingegeben als',
  words: 'Argumente',
  noWords: 'keine',
  usualVariables: 'die üblichen',
  withVariables: (names) => `die üblichen, ${names}`,
  homeFolder: 'Ihr persönlicher Ordner',
  from: 'Stammt aus',
  deciding: 'Diese Variablen können ändern, welcher Code läuft',
  givenValues: 'Werte aus der Liste',
  hiddenSecret: '„…“ steht für ein Geheimnis. Postern speichert es verschlüsselt und zeigt es nie.',
  asYou:
    'Er läuft mit Ihren Rechten, ohne Shell, und darf auf diesem Computer alles, was Sie dürfen. Erlauben Sie nur, was Sie für vertrauenswürdig halten.',
  fetches: (command) => `„${command}“ lädt Code herunter und führt ihn aus. Der Code kann jedes Mal ein anderer sein.`,
  remoteTitle: ({ name, isBridged }) =>
    isBridged ? `Dieser Befehl stellt nur eine Verbindung zu ${name} her` : `${name} hat einen eigenen Server im Web`,
  remoteText: 'Postern kann ihn direkt verbinden. Auf diesem Computer muss dafür nichts laufen.',
  useRemote: 'Stattdessen diesen Server verbinden',
  startsHere: (command) => `Startet „${command}“ auf diesem Computer. Bisher wurde nichts gestartet.`,
  hasRemote: ({ name, isBridged }) =>
    isBridged
      ? `Er stellt nur eine Verbindung zu ${name} her, das Postern direkt erreicht.`
      : `${name} hat einen eigenen Server im Web. Auf diesem Computer muss dafür nichts laufen.`,
  connectRemote: (name) => `${name} verbinden`,
  reviewCommand: 'Befehl prüfen',
  proceed: 'Weiter…',
  awaitsAnswer: 'Antworten Sie im Dialog Ihres Systems. Noch wurde nichts gestartet.',
  starting: 'Server wird gestartet, Tools werden geladen',
  stopWaiting: 'Abbrechen',
  states: {
    off: 'Läuft nicht. Er startet, wenn eine App ihn nutzt.',
    starting: 'Startet',
    running: 'Läuft',
    waiting: 'Er hat sich beendet und startet gleich wieder.',
  },
  process: (pid, since) => `${pid}, seit ${since}`,
  processList: 'Prozesse',
  stop: 'Stoppen',
  output: 'Ausgabe',
  noOutput: 'Noch keine Ausgabe.',
  outputHint: 'Ausgaben seit dem Start von Postern. Sie werden nicht gespeichert.',
  share: 'Ein Prozess für alle Apps',
  shareHint:
    'Apps teilen sich seine Tools und alles, was er sich zwischen Aufrufen merkt. Sonst bekommt jede Sitzung einen eigenen Prozess. Gilt für Sitzungen, die ab jetzt beginnen.',
  whatRuns: 'Was ausgeführt wird',
};
