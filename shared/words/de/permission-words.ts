import type { Translated } from '../../language.ts';
import type {
  approvalWords as englishApprovalWords,
  permissionWords as englishPermissionWords,
  permitWords as englishPermitWords,
  questionWords as englishQuestionWords,
} from '../en/permission-words.ts';

export const permissionWords: Translated<typeof englishPermissionWords> = {
  openId: {
    openid: 'Sehen, wer Sie sind',
    profile: 'Ihren Namen und Ihr Bild sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    offline_access: 'Angemeldet bleiben, bis Sie sich abmelden',
  },
  googleAccount: {
    'https://www.googleapis.com/auth/gmail.readonly': 'Ihre E-Mails lesen',
    'https://www.googleapis.com/auth/gmail.compose': 'Entwürfe schreiben und E-Mails als Sie senden',
    'https://www.googleapis.com/auth/calendar.readonly': 'Ihre Kalender sehen',
    'https://www.googleapis.com/auth/drive.readonly': 'Alle Dateien in Ihrem Drive sehen',
    'https://www.googleapis.com/auth/drive.file':
      'Dateien in Ihrem Drive sehen, ändern und löschen, die Sie damit nutzen',
  },
  services: {
    GitHub: {
      repo: 'Ihre Repositorys lesen und ändern, auch private, und Projekte, Teams und Webhooks Ihrer Organisationen verwalten',
      public_repo: 'Ihre öffentlichen Repositorys lesen und ändern',
      delete_repo: 'Ihre Repositorys löschen',
      'read:org': 'Ihre Organisationen, deren Projekte und Teams sehen',
      user: 'Ihr Profil lesen und ändern',
      'read:user': 'Ihr Profil sehen',
      'user:email': 'Ihre E-Mail-Adressen sehen',
      gist: 'Gists anlegen und ändern',
      notifications: 'Ihre Benachrichtigungen lesen, als gelesen markieren und Repositorys beobachten',
      workflow: 'Workflows von GitHub Actions ändern',
      project: 'Projekte lesen und ändern',
      'read:project': 'Projekte sehen',
      'read:packages': 'Pakete herunterladen',
      'write:packages': 'Pakete veröffentlichen',
      security_events: 'Warnungen der Codeprüfung sehen und ändern',
    },
    Atlassian: {
      'read:me': 'Ihr Profil sehen',
      'read:jira-work': 'Jira-Projekte und Vorgänge lesen',
      'write:jira-work': 'Jira-Vorgänge anlegen, ändern und löschen und als Sie kommentieren',
      'read:jira-user': 'Jira-Benutzer und deren E-Mail-Adressen sehen',
    },
    Sentry: {
      'org:read': 'Ihre Organisationen sehen',
      'project:read': 'Projekte sehen',
      'project:write': 'Projekte ändern',
      'team:read': 'Teams sehen',
      'team:write': 'Teams ändern',
      'event:read': 'Issues und Ereignisse lesen',
      'event:write': 'Issues ändern',
    },
    Linear: {
      read: 'Lesen, was Ihr Konto sehen kann',
      write: 'Ändern, was Ihr Konto ändern kann',
      'issues:create': 'Issues anlegen',
      'comments:create': 'Kommentare schreiben',
      admin: 'Ihren Workspace verwalten',
    },
    Slack: {
      'search:read.public': 'In öffentlichen Kanälen suchen',
      'channels:history': 'Nachrichten in öffentlichen Kanälen lesen',
      'users:read.email': 'E-Mail-Adressen der Personen in Ihrem Workspace sehen',
      'chat:write': 'Nachrichten senden',
      'canvases:write': 'Canvases anlegen, ändern und löschen',
    },
    Box: {
      root_readwrite: 'Alle Ihre Dateien und Ordner lesen und ändern',
      'ai.readwrite': 'Box AI nutzen',
    },
    Salesforce: {
      refresh_token: 'Angemeldet bleiben, bis Sie sich abmelden',
    },
  },
};

export const permitWords: Translated<typeof englishPermitWords> = {
  asks: (program, server) => `${program ?? 'Ein Programm'} möchte ein Tool von ${server} aufrufen.`,
  tool: 'Tool',
  saysReadOnly: 'Der Server sagt, dass es nur liest.',
  saysNothing: 'Der Server sagt nicht, dass es nur liest.',
  input: 'Eingabe',
  noInput: 'Es bekommt hier keine Eingabe.',
  cut: 'Hier ist nicht alles davon zu sehen.',
  remaining: (time) => `Ohne Antwort wird es in ${time} abgelehnt.`,
  waiting: (count) => (count === 1 ? 'Ein weiterer Aufruf wartet.' : `${count} weitere Aufrufe warten.`),
  answers: { no: 'Nein', once: 'Einmal', session: 'Für diese Sitzung', always: 'Immer' },
  nothing: 'Kein Aufruf wartet auf eine Antwort.',
  intro: 'Welche Tools dieses Servers Programme aufrufen dürfen. Was verboten ist, sehen sie gar nicht erst.',
  whom: 'Für',
  everybody: 'alle Programme',
  particular: (program) =>
    `Für ${program} können hier strengere Regeln gelten als für die anderen, und einzelne Tools, die nicht fragen müssen. Was für alle verboten ist, bleibt verboten.`,
  presets: 'Tools ohne eigene Einstellung',
  preset: {
    everything: 'Dürfen aufgerufen werden',
    'ask-changes': 'Vor Änderungen fragen',
    'read-only': 'Nur die, die nur lesen',
    'only-allowed': 'Sind verboten',
  },
  presetHint: {
    everything: 'Postern fragt nicht nach; viele Programme tun das selbst.',
    'ask-changes': 'Ein kleines Fenster fragt jedes Mal, außer der Server sagt, dass das Tool nur liest.',
    'read-only': 'Die anderen sind verboten. Auch was einzeln erlaubt war, ist verboten, bis Sie es wieder erlauben.',
    'only-allowed': 'Nur Tools, die Sie einzeln erlauben, dürfen aufgerufen werden, und keine neuen.',
  },
  hint: 'Ob ein Tool nur liest, sagt der Server selbst. Niemand prüft das: Ein unehrlicher Server kann es von jedem Tool sagen.',
  misled:
    'Beschreibungen und Ergebnisse von Tools liest auch das KI-Modell, und ein böswilliger Server kann es damit in die Irre führen. Verbieten Sie, was Sie nicht brauchen, und lassen Sie nachfragen, wo Schaden entstehen kann.',
  hints: {
    hidden: 'Was der Server über dieses Tool sagt, enthält Zeichen, die niemand sieht:',
    instructions: 'Was der Server über dieses Tool sagt, liest sich wie eine Anweisung an das KI-Modell:',
  },
  changes: 'Geändert, seit Sie nachgesehen haben',
  changesIntro: 'Durchgestrichen ist, was der Server damals sagte; unterstrichen, was er jetzt sagt.',
  changedNotice:
    'Tools dieses Servers sind neu oder sagen über sich etwas anderes als beim letzten Mal, als Sie nachgesehen haben.',
  changedMark: 'Änderungen zum Ansehen',
  review: 'Änderungen ansehen',
  changeKind: { new: 'Neu', changed: 'Geändert', gone: 'Entfernt' },
  changeCut: 'Es hat sich mehr geändert, als hier zu sehen ist.',
  moreChanged: (count) => (count === 1 ? 'Ein weiteres hat sich geändert.' : `${count} weitere haben sich geändert.`),
  accept: 'Ich habe es angesehen',
  acceptOf: (tool) => `Ich habe es angesehen: ${tool}`,
  acceptAll: (count) => `Ich habe alle ${count} angesehen`,
  whenChanged: 'Wenn sich Tools ändern',
  changedRule: { show: 'Mir zeigen', hold: 'Zurückhalten, bis ich nachgesehen habe' },
  asForAll: (rule) => `Wie in den Einstellungen: ${rule}`,
  changedRuleHint: {
    show: 'Programme nutzen sie inzwischen weiter. Die meisten Änderungen sind harmlos: ein anderer Satz, ein weiteres Feld.',
    hold: 'Kein Programm sieht ein Tool oder ruft es auf, das neu ist oder über sich etwas anderes sagt, und Postern selbst auch nicht.',
  },
  offers: 'Ressourcen und Prompts',
  offer: {
    resources: 'Programme dürfen seine Ressourcen auflisten und lesen',
    prompts: 'Programme dürfen seine Prompts auflisten und nutzen',
  },
  offForAll: 'Für alle Programme abgeschaltet.',
  summary: {
    preset: {
      everything: 'Darf jedes Tool aufrufen',
      'ask-changes': 'Fragt vor Änderungen',
      'read-only': 'Darf nur lesen',
      'only-allowed': 'Darf nur, was einzeln erlaubt ist',
    },
    denied: (count) => `${count} verboten`,
    asking: (count) => (count === 1 ? '1 fragt' : `${count} fragen`),
    without: { resources: 'keine Ressourcen', prompts: 'keine Prompts' },
    holds: 'geänderte Tools werden zurückgehalten',
  },
  summaryOf: (server, summary) => `Berechtigungen für ${server}: ${summary}`,
  list: 'Tools',
  rules: { allow: 'Erlauben', ask: 'Fragen', deny: 'Verbieten' },
  byPreset: (rule) => `Wie oben (${rule})`,
  ruleOf: (tool) => `Was mit ${tool} geschieht`,
  holds: { allow: 'erlaubt', ask: 'fragt', deny: 'verboten' },
  decidedByAll: (rule) => `${rule}, weil das für alle Programme gilt`,
  gone: 'Zurzeit nicht unter den Tools des Servers',
  signInFirst: 'Melden Sie sich an, um die Tools dieses Servers zu sehen. Was hier eingestellt ist, gilt trotzdem.',
};

export const approvalWords: Translated<typeof englishApprovalWords> = {
  known: (program, server) => `${program} möchte ${server} nutzen.`,
  stranger: (name, server) =>
    name === ''
      ? `Ein Programm, das sich nicht vorstellt, möchte ${server} nutzen.`
      : `Ein Programm, das sich „${name}“ nennt, möchte ${server} nutzen.`,
  startedBy: (parent) => `Es gibt an, von „${parent}“ gestartet worden zu sein.`,
  meaning: (server) => `Das haben Sie noch nicht erlaubt. Es würde ${server} mit Ihrer Anmeldung nutzen.`,
  onlyOnce: 'Postern kennt dieses Programm nicht, deshalb lässt es sich nur für dieses Mal erlauben.',
  remaining: (time) => `Ohne Antwort wird es in ${time} abgewiesen.`,
  unanswered: 'Noch nicht beantwortet',
  missed: (distance) => `gefragt ${distance}`,
  whenAskedAgain: 'Ihre Antwort gilt, wenn es wieder fragt.',
  waiting: (count) => (count === 1 ? 'Eine weitere Frage wartet.' : `${count} weitere Fragen warten.`),
  answers: { no: 'Nein', once: 'Einmal erlauben', always: 'Erlauben' },
};

export const questionWords: Translated<typeof englishQuestionWords> = {
  during: (server, host, tool) => `„${server}“ (${host}) fragt, während „${tool}“ läuft`,
  byItself: (server, host) => `„${server}“ (${host}) fragt, während der Server für Sie arbeitet`,
  decline: 'Ablehnen',
  send: 'Senden',
  open: 'Im Browser öffnen',
  done: 'Ich bin fertig',
  secret:
    'Das sieht nach einem Geheimnis aus. Geben Sie hier kein Passwort, keinen Schlüssel und keinen Code ein: Danach sollte der Server auf einer Seite fragen.',
  page: (place) => `Er möchte eine Seite bei ${place} öffnen:`,
  confusable: 'Der Name dieses Hosts kann wie ein anderer aussehen. Sehen Sie zweimal hin.',
  opened: 'Die Seite ist in Ihrem Browser offen. Kommen Sie zurück, sobald Sie dort fertig sind.',
  failed: 'Es ließ sich kein Browser öffnen. Öffnen Sie die Adresse selbst und kommen Sie dann zurück.',
  remaining: (time) => `Ohne Antwort erfährt der Server in ${time}, dass niemand geantwortet hat.`,
  refused: {
    address: 'Der Server wollte eine Adresse öffnen, die Postern nicht öffnet. Er hat ein Nein bekommen.',
    form: 'Der Server wollte etwas wissen, das sich hier nicht fragen lässt. Er hat ein Nein bekommen.',
    'too-many': 'Der Server fragt zu oft. Von jetzt an bekommt er keine Antwort.',
    'too-late': 'Der Server hat keine Antwort bekommen, weil niemand rechtzeitig geantwortet hat.',
  },
  formats: {
    email: 'Eine E-Mail-Adresse.',
    uri: 'Eine Adresse, etwa https://example.com.',
    date: 'Ein Datum, etwa 2027-05-31.',
    'date-time': 'Ein Zeitpunkt, etwa 2027-05-31T09:30:00Z.',
  },
  whole: 'Eine ganze Zahl.',
  pattern: (pattern) => `In dieser Form: ${pattern}`,
  range: (kind, least, most) => {
    const unit = kind === 'text' ? ' Zeichen' : '';
    if (least !== undefined && most !== undefined) return `${least} bis ${most}${unit}.`;
    return least === undefined ? `Höchstens ${most}${unit}.` : `Mindestens ${least}${unit}.`;
  },
};
