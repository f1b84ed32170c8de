import type { Translated } from '../../language.ts';
import type { discoveryStepWords as englishDiscoveryStepWords } from '../../status-words.ts';
import type {
  connectWords as englishConnectWords,
  endpointWords as englishEndpointWords,
  hostsWords as englishHostsWords,
  localWords as englishLocalWords,
  withoutPersonWords as englishWithoutPersonWords,
} from '../en/connect-words.ts';

const withoutPersonWords: Translated<typeof englishWithoutPersonWords> = {
  title: 'Ohne Anmeldeseite',
  text: 'Manche Dienste geben einem Programm Zugriff, oder allen, die bei Ihrer Firma schon angemeldet sind.',
  label: 'Wer den Zugriff bekommt',
  choices: {
    program: 'Das Programm selbst (Client Credentials)',
    programHint:
      'Mit der ID einer eigenen App und ihrem Secret oder Schlüssel. Der Zugriff gehört der App, nicht Ihnen.',
    provider: (name) => `Sie, über ${name}`,
    providerHint: 'Der Identitätsanbieter Ihrer Firma sagt dem Dienst, wer Sie sind. Die App dafür hat Ihre Firma.',
    file: 'Wen eine Datei nennt (JWT-Assertion)',
    fileHint:
      'Ein Cluster oder eine Cloud legt darin ein signiertes JWT ab und erneuert es. Postern liest es jedes Mal neu und kopiert es nirgendwohin.',
  },
  providers:
    'Der Identitätsanbieter Ihrer Firma steht hier zur Wahl, sobald er verbunden ist: Prüfen Sie seine Adresse wie die eines Servers, und sagen Sie dann, dass es Ihr Identitätsanbieter ist.',
  file: {
    choose: 'Datei auswählen…',
    chooseOther: 'Andere Datei auswählen…',
    needed: 'Wählen Sie zuerst die Datei aus.',
  },
};

const discoveryStepWords: Translated<typeof englishDiscoveryStepWords> = {
  waiting: {
    probe: 'Wartet mit der Anfrage an den Server',
    'tools-probe': 'Wartet mit der Frage nach seinen Tools',
    'resource-metadata': 'Wartet, um zu lesen, wo man sich anmeldet',
    'authorization-server-metadata': 'Wartet, um zu lesen, wie man sich anmeldet',
    method: 'Wartet, um die Art der Anmeldung zu bestimmen',
  },
  started: {
    probe: 'Server wird gefragt',
    'tools-probe': 'Server wird nach seinen Tools gefragt',
    'resource-metadata': 'Wo man sich anmeldet, wird gelesen',
    'authorization-server-metadata': 'Wie man sich anmeldet, wird gelesen',
    method: 'Art der Anmeldung wird bestimmt',
  },
  found: {
    probe: 'Der Server antwortet',
    'tools-probe': 'Der Server antwortet für seine Tools',
    'resource-metadata': 'Der Server sagt, wo man sich anmeldet',
    'authorization-server-metadata': 'Der Anmeldedienst sagt, wie man sich anmeldet',
    method: 'Die Art der Anmeldung ist klar',
  },
  'not-found': {
    probe: 'Der Server antwortet und nennt keine Anmeldung',
    'tools-probe': 'Auch für seine Tools nennt der Server keine Anmeldung',
    'resource-metadata': 'Dort steht nicht, wo man sich anmeldet',
    'authorization-server-metadata': 'Dort steht nicht, wie man sich anmeldet',
    method: 'Keine Anmeldung gefunden',
  },
  failed: {
    probe: 'Der Server gab keine brauchbare Antwort',
    'tools-probe': 'Der Server gab für seine Tools keine brauchbare Antwort',
    'resource-metadata': 'Wo man sich anmeldet, war nicht zu lesen',
    'authorization-server-metadata': 'Wie man sich anmeldet, war nicht zu lesen',
    method: 'Die Art der Anmeldung war nicht herauszufinden',
  },
};

export const connectWords: Translated<typeof englishConnectWords> = {
  title: 'Server verbinden',
  firstTitle: 'Was möchten Sie verbinden?',
  intro:
    'Sie melden sich einmal an, danach können ihn die KI-Programme auf diesem Computer nutzen. Nichts öffnet sich, bevor Sie es sagen.',
  address: 'Serveradresse oder Name',
  placeholder: 'Name, Adresse, Befehl oder Konfiguration',
  willCheck: (url) => `Prüft ${url}`,
  given: {
    another: 'Zweites Konto hinzufügen',
    several: 'Welche Adresse möchten Sie verbinden?',
    local: (program) => `„${program}“ ist ein Programm für diesen Computer, keine Adresse.`,
    localMore: 'Es wurde nicht ausgeführt, und das geschieht nicht, bevor Sie es gesehen haben.',
    localLook: 'Befehl ansehen',
    unknownName: (name) => `Einen Dienst namens „${name}“ kennt Postern nicht, und eine Adresse ist es auch nicht.`,
    unknownNameMore: 'Fügen Sie die Adresse des MCP-Servers ein. Sie steht in der Dokumentation des Dienstes.',
    text: 'In diesem Text steht keine Adresse.',
    textMore: 'Fügen Sie die Adresse eines MCP-Servers ein. Oft endet sie auf /mcp.',
  },
  look: 'Weiter',
  lookAgain: 'Neu prüfen',
  local: 'Dieser Server läuft auf meinem Computer oder im internen Netz',
  localHint: 'Erlaubt nur für diesen Server Adressen, die nicht im öffentlichen Internet sind.',
  dropHere: 'Link oder mcp.json hier ablegen',
  demoName: 'Übungsserver',
  here: {
    title: 'Schon auf diesem Computer',
    demo: 'Ein paar Notizen zum Lesen und Schreiben. Probieren Sie alles ohne Konto aus.',
    tryDemo: 'Ausprobieren',
    firstTry: 'Keinen Server zur Hand?',
    firstTryText: (does) => `${does}, ohne Konto. So sehen Sie, wie ein Tool antwortet.`,
    programs: (names) => {
      const [first = '', second = '', third] = names;
      if (names.length < 3) return names.join(' und ');
      return names.length === 3
        ? `${first}, ${second} und ${third}`
        : `${first}, ${second} und ${names.length - 2} weitere`;
    },
    programsText:
      'Übernehmen Sie die Server, die sie schon nutzen. Postern liest und ändert nichts, bevor Sie es sagen.',
  },
  steps: discoveryStepWords,
  stepsLabel: 'Was Postern gefragt hat',
  opensNothing: 'Bisher nur Fragen. Nichts wurde geöffnet, und nichts von Ihnen wurde gesendet.',
  verdict: {
    noSignIn: 'Keine Anmeldung nötig.',
    registersItself: 'Bereit zum Verbinden. Sie melden sich nur an.',
    publishedClient: 'Bereit zum Verbinden. Sie melden sich nur an.',
    needsApp: 'Legen Sie zuerst beim Dienst eine App an, und melden Sie sich dann damit an.',
    couldNotTell: 'Der Server verlangt eine Anmeldung, sagt aber nicht, wie.',
    usesKey: 'Bereit. Nutzt den Schlüssel, der dabei war.',
  },
  known: (name) => `Schon verbunden als ${name}.`,
  knownText: 'Öffnen Sie ihn, oder fügen Sie ihn ein zweites Mal hinzu.',
  openKnown: 'Öffnen',
  namedService: (host) => `Der Server nennt ${host} als Anmeldedienst, der nicht sagt, wie man sich anmeldet.`,
  namedServiceDown: (host) => `Der Server nennt ${host} als Anmeldedienst, der gerade selbst eine Störung hat.`,
  verdictMore: {
    noSignIn: (tools) =>
      tools === undefined
        ? 'Der Server antwortete, ohne zu fragen, wer Sie sind.'
        : `Der Server antwortete, ohne zu fragen, wer Sie sind, und hat ${tools} ${tools === 1 ? 'Tool' : 'Tools'}.`,
    registersItself: (host) => `Bei ${host} registrieren sich Programme selbst, vorzubereiten ist also nichts.`,
    publishedClient: (host) =>
      `${host} kennt Postern durch ein Dokument, das Postern veröffentlicht, vorzubereiten ist also nichts.`,
    needsApp: (host) =>
      `${host} gibt Ihrer App eine Client-ID. Als Nächstes zeigt Postern, was Sie dort eintragen und wohin die ID gehört.`,
    usesKey: 'Postern probiert ihn aus, wenn Sie den Server hinzufügen, und bewahrt ihn versiegelt auf.',
    couldNotTell: 'Diese Wege bleiben. Der Betreiber des Servers weiß, welcher der richtige ist.',
    namedService: 'Diese Wege bleiben. Mehr weiß der Betreiber des Servers.',
    namedServiceDown: 'Prüfen Sie später noch einmal. Bleibt es so, sagen Sie es dem Betreiber des Servers.',
  },
  start: {
    noSignIn: 'Hinzufügen',
    registersItself: 'Hinzufügen und anmelden',
    publishedClient: 'Hinzufügen und anmelden',
    needsApp: 'App-Daten eingeben',
    couldNotTell: 'Weiter',
    usesKey: 'Hinzufügen',
  },
  after: {
    popup: (host) => `Öffnet ein Anmeldefenster bei ${host}.`,
    browser: (host) => `Öffnet ${host} in Ihrem Browser.`,
    needsApp: 'Öffnet zuerst hier ein Formular.',
    noSignIn: 'Fügt den Server Ihrer Liste hinzu.',
  },
  name: 'Name',
  options: 'Optionen',
  another: 'Anderswo anmelden',
  anotherHint: 'Der Server nennt mehrere Anmeldedienste.',
  howTitle: 'So läuft es ab',
  how: {
    ask: ['Postern fragt', 'Es findet heraus, wie man sich beim Server anmeldet, und zeigt Ihnen das Ergebnis.'],
    signIn: ['Sie melden sich an', 'Auf der Seite des Dienstes selbst. Postern fragt nie nach Ihrem Passwort.'],
    keep: [
      'Es bleibt verbunden',
      'Der Zugriff liegt verschlüsselt auf diesem Computer und wird verlängert, wo der Dienst das erlaubt.',
    ],
    keepInMemory: [
      'Es bleibt verbunden',
      'Bis Postern beendet wird: Es gibt keinen Schlüsselbund, der den Zugriff aufheben könnte.',
    ],
  },
  route: {
    label: (server, service) =>
      service === undefined
        ? `Dieser Computer verbindet sich mit ${server}.`
        : `Dieser Computer verbindet sich mit ${server}; Sie melden sich bei ${service} an.`,
    computer: 'Dieser Computer',
    server: 'MCP-Server',
    service: 'Anmeldedienst',
    same: 'Server und Anmeldedienst',
    encrypted: 'verschlüsselt',
    plain: 'unverschlüsselt',
  },
  trust: {
    label: 'Bevor Sie sich anmelden',
    scopes: 'Verlangt',
    scopesNone: 'Nichts Bestimmtes; der Dienst entscheidet.',
    pkce: 'Schutz der Anmeldung',
    pkceYes: 'Gegen Abfangen geschützt',
    pkceUnlisted: 'Gegen Abfangen geschützt, wenn der Dienst das prüft; er sagt nicht, ob er es tut',
    pkceNo:
      'Nicht gegen Abfangen geschützt: Der Dienst sagt nicht, dass er das kann; wenn er danach fragt, bekommt er es',
    encryption: 'Verbindung',
    encryptedYes: 'Durchgehend verschlüsselt',
    encryptedLocal: 'Bleibt auf diesem Computer',
    encryptedNo: 'Unverschlüsselt: Andere im selben Netz könnten mitlesen',
    service: 'Anmeldedienst',
    exception: (named, issuer) =>
      `Der Server nennt ${named}, und der nennt sich ${issuer}. Beide gehören zu einer Domain, aber Namen einer Domain können verschiedene Besitzer haben; prüfen Sie, ob Sie beide erwartet haben.`,
    owner: 'Besitzer',
    differentOwner: (service, server) =>
      `Sie melden sich bei ${service} an, und ${server} bekommt den Zugriff. Dass beide einen Besitzer haben, ist nicht bekannt. Das ist üblich, wo eine Firma die Anmeldung für viele übernimmt; prüfen Sie, ob Sie das erwartet haben.`,
    notes: 'Besonderheiten',
  },
  legacyTitle: 'Ein älterer Server?',
  legacyText: 'Server von vor Mitte 2025 nutzen Anmeldeadressen, die sie nicht veröffentlichen müssen.',
  legacyButton: 'Übliche Adressen versuchen',
  endpointsTitle: 'Kennen Sie die Adressen?',
  endpointsText: 'In der Dokumentation des Dienstes stehen vielleicht Authorization Endpoint und Token Endpoint.',
  endpointsButton: 'Diese Adressen verwenden',
  keyTitle: 'Ein API-Schlüssel?',
  keyText:
    'Manche Server geben Ihnen statt einer Anmeldung einen Schlüssel. Er wird wie ein Passwort aufbewahrt und geht nur an diesen Server.',
  keyName: 'Header',
  keyValue: 'Schlüssel',
  keyValueHint: 'So, wie der Dienst ihn zeigt, z. B. „Bearer …“, wenn es dort so steht.',
  keyStart: 'Mit diesem Schlüssel hinzufügen',
  withoutPerson: withoutPersonWords,
  otherWays: 'Andere Wege',
  wayRound: {
    scopes: 'Andere Berechtigungen verlangen',
    ownApp: 'Eigene App verwenden',
    key: 'Stattdessen API-Schlüssel verwenden',
    withoutPerson: 'Ohne Anmeldeseite',
    provider: 'Es ist unser Identitätsanbieter',
    addresses: 'Adressen selbst eingeben',
  },
  scopesHint: 'Durch Leerzeichen getrennt. Welche er erteilt, weiß der Betreiber des Dienstes.',
  scopesButton: 'Mit diesen anmelden',
  importTitle: (count) => `${count} Server in dieser Liste`,
  importText:
    'Jeder wird geprüft wie eine Adresse, die Sie einfügen. Ein Befehl läuft erst, wenn Sie ihn gesehen und erlaubt haben.',
  importMore: (count) =>
    `${count} ${count === 1 ? 'weiterer wird' : 'weitere werden'} nicht angezeigt. Die Befehlszeile übernimmt alle: postern import DATEI`,
  importUnread: (name, member) =>
    member === undefined ? `„${name}“ ist nicht lesbar.` : `„${name}“ ist nicht lesbar: „${member}“ darin.`,
  importLocal: (count) =>
    count === 1 ? 'Einer dieser Server läuft auf meinem Computer' : `${count} dieser Server laufen auf meinem Computer`,
  importLocalHint: 'Erlaubt nur für diese Server Adressen auf diesem Computer.',
  importConnect: 'Verbinden',
  importOpen: 'Öffnen',
  importAll: (count) => `${count} Server verbinden`,
  importAllProgress: 'Verbundene oder geprüfte Server',
  importAllDone: (done, total) => `${done} von ${total} fertig`,
  importAllCameTo: ({ connected, waiting, failed, left }) =>
    [
      ...(connected > 0 ? [`${connected} verbunden.`] : []),
      ...(waiting > 0
        ? [
            `${waiting} ${waiting === 1 ? 'wartet' : 'warten'} auf Sie: Öffnen Sie ${waiting === 1 ? 'ihn' : 'sie'}, um weiterzumachen.`,
          ]
        : []),
      ...(failed > 0 ? [`${failed} ${failed === 1 ? 'ließ' : 'ließen'} sich nicht verbinden.`] : []),
      ...(left > 0 ? [`${left} nicht versucht.`] : []),
    ].join(' '),
  importConnected: (name) => `Verbunden als ${name}`,
  importBack: 'Zurück zur Liste',
  importNotes: {
    'unwrapped-mcp-remote': 'aus mcp-remote herausgelöst',
    'header-to-fill-in': 'der Schlüssel muss von Hand eingetragen werden',
    'url-to-fill-in': 'die Adresse muss von Hand eingetragen werden',
    'local-command': '',
    'command-to-fill-in': 'ein Teil davon muss von Hand eingetragen werden',
    'command-empty': 'der Befehl ist leer',
    'command-unusable': 'der Befehl ist länger, als Postern annimmt, oder hat etwas, das kein Programm bekommen kann',
    'switched-off': 'er ist dort ausgeschaltet',
    'in-sandbox': 'dort läuft er in einer Sandbox, in Postern nicht',
    'members-unread': 'Postern kann nicht alles übernehmen und lässt den Eintrag, wie er ist',
    'header-unusable': 'was HTTP selbst braucht oder nicht senden kann, fehlt in den Headern',
  },
  importHeaders: (names) => `mit einem Schlüssel (${names.join(', ')})`,
  working: {
    registering: (host) => `Postern registriert sich bei ${host}`,
    exchanging: 'Ihr Zugriff wird geholt',
    ticketIssued: 'Der Zugriff wird gespeichert',
    integrated: 'Verbunden',
  },
  credentialsWait: (host) => `${host} braucht eine Client-ID von Ihnen.`,
  pageLeft:
    'Ist die Anmeldeseite in Ihrem Browser noch offen, schließen Sie sie: Dort lässt sich diese Anmeldung nicht mehr abschließen.',
  callbackRefused:
    'Wenn die Seite die Redirect- oder Callback-URL abgelehnt hat, tragen Sie dort diese für Ihre App ein:',
  discard: 'Verwerfen',
  stop: 'Stoppen',
  startOver: 'Von vorn beginnen',
};

export const endpointWords: Translated<typeof englishEndpointWords> = {
  authorization: 'Authorization Endpoint',
  token: 'Token Endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Nur wenn der Dienst keine oder falsche veröffentlicht. Beide oder keine.',
  mistakes: {
    missing: 'Diese Adresse fehlt noch.',
    incomplete: 'Das ist keine vollständige Adresse. Sie beginnt mit https://.',
  },
};

const list = new Intl.ListFormat('de', { type: 'conjunction' });

export const hostsWords: Translated<typeof englishHostsWords> = {
  title: 'Zur Anmeldung gehören Hosts, von denen kein gemeinsamer Besitzer bekannt ist',
  text: 'Manche Dienste sind so gebaut, eine Falle aber auch. Fahren Sie nur fort, wenn Sie diese Hosts hier erwartet haben.',
  page: 'Anmeldeseite',
  token: 'Erhält die Anmeldung',
  service: 'Anmeldedienst',
  agree: (hosts) => `Dieser Server darf ${list.format(hosts)} nutzen`,
  goOn: 'Fortfahren',
  stop: 'Stoppen',
};

export const localWords: Translated<typeof englishLocalWords> = {
  open: 'Lokaler Befehl …',
  title: 'Ein Server, der auf diesem Computer läuft',
  intro:
    'Für einen Server, der ein Befehl ist, etwa „npx …“ oder „docker run …“. Nichts wird ausgeführt, bevor Sie es gesehen haben.',
  name: 'Name',
  command: 'Befehl',
  commandHint: 'Wie er in der Dokumentation steht. Er läuft ohne Shell: keine Pipes, keine $VARIABLEN.',
  folder: 'Ordner',
  folderHint: 'Wo er läuft. Leer: Ihr persönlicher Ordner.',
  variables: 'Variablen',
  variablesHint: 'Er bekommt die üblichen und diese, sonst nichts. Die Werte liegen versiegelt im Tresor.',
  variableName: 'Name der Variable',
  variableValue: 'Wert',
  variableKept: 'wie in der Liste',
  addVariable: 'Variable hinzufügen',
  removeVariable: (name) => (name === '' ? 'Variable entfernen' : `${name} entfernen`),
  look: 'Ansehen, was ausgeführt wird',
  back: 'Ändern',
  close: 'Schließen',
  consentTitle: (name) => `„${name}“ führt das aus`,
  runs: 'Führt aus',
  typedAs: 'Eingegeben als',
  words: 'Argumente',
  noWords: 'keine',
  usualVariables: 'die üblichen',
  withVariables: (names) => `die üblichen, ${names}`,
  homeFolder: 'Ihr persönlicher Ordner',
  from: 'Stammt aus',
  deciding: 'Diese Variablen können bestimmen, welcher Code läuft',
  givenValues: 'Diese Werte bekommt er aus der Liste',
  sealed: '„…“ steht für ein Geheimnis. Postern bewahrt es versiegelt auf und zeigt es nirgends.',
  asYou:
    'Er läuft mit Ihren Rechten, ohne Shell, und darf auf diesem Computer, was Sie dürfen. Erlauben Sie nur, wem Sie vertrauen.',
  fetches: (command) => `„${command}“ lädt Code und führt ihn aus: Es kann jedes Mal anderer sein.`,
  remoteTitle: ({ name, isBridged }) =>
    isBridged ? `Dieser Befehl führt nur zu ${name}` : `${name} hat einen eigenen Server`,
  remoteText: 'Das braucht kein Programm auf diesem Computer, und Postern behält die Anmeldung.',
  useRemote: 'Stattdessen diesen verbinden',
  startsHere: (command) => `Startet „${command}“ auf diesem Computer. Noch ist nichts davon gelaufen.`,
  hasRemote: ({ name, isBridged }) =>
    isBridged
      ? `Er führt nur zu ${name}, das Postern ohne ihn erreicht.`
      : `${name} hat einen eigenen Server, der kein Programm auf diesem Computer braucht.`,
  connectRemote: (name) => `${name} verbinden`,
  lookAt: 'Befehl ansehen',
  allow: 'Erlauben und starten',
  starting: 'Wird gestartet und nach seinen Tools gefragt',
  stopWaiting: 'Abbrechen',
  states: {
    off: 'Läuft nicht. Er startet, wenn ihn etwas benutzt.',
    starting: 'Startet',
    running: 'Läuft',
    waiting: 'Er hat sich beendet und startet gleich wieder.',
  },
  process: (pid, since) => `${pid}, seit ${since}`,
  processList: 'Prozesse',
  stop: 'Stoppen',
  output: 'Ausgabe',
  noOutput: 'Er hat noch nichts geschrieben.',
  outputHint: 'Seine Fehlerausgabe und was keine Nachricht war, seit Postern läuft. Sie bleibt nur im Arbeitsspeicher.',
  share: 'Ein Prozess für alle Programme',
  shareHint:
    'Sie teilen sich seine Tools und was er sich zwischen Aufrufen merkt. Sonst hat jede Sitzung einen eigenen Prozess. Es gilt für die, die ab jetzt starten.',
  what: 'Was ausgeführt wird',
};
