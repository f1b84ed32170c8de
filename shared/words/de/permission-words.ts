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
    'https://www.googleapis.com/auth/gmail.compose': 'Entwürfe schreiben und E-Mails in Ihrem Namen senden',
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
      'write:jira-work': 'Jira-Vorgänge anlegen, ändern und löschen und in Ihrem Namen kommentieren',
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
  asks: (app, server) => `${app ?? 'Eine unbekannte App'} möchte ein Tool von ${server} aufrufen.`,
  tool: 'Tool',
  readOnlyHint: 'Der Server sagt, dass dieses Tool nur liest.',
  noReadOnlyHint: 'Der Server sagt nicht, dass dieses Tool nur liest.',
  input: 'Eingabe',
  noInput: 'Dieser Aufruf hat keine Eingabe.',
  cut: 'Die Eingabe ist hier gekürzt.',
  remaining: (time) => `Ohne Antwort lehnt Postern in ${time} ab.`,
  waiting: (count) => (count === 1 ? 'Ein weiterer Aufruf wartet.' : `${count} weitere Aufrufe warten.`),
  answers: { no: 'Ablehnen', once: 'Einmal erlauben', session: 'Für diese Sitzung erlauben', always: 'Immer erlauben' },
  nothing: 'Es warten keine Aufrufe.',
  intro: 'Wählen Sie, welche Tools KI-Apps aufrufen dürfen. Verbotene Tools sehen sie nicht.',
  forApps: 'Für',
  allApps: 'alle Apps',
  oneApp: (app) =>
    `Hier können Sie für ${app} strengere Regeln festlegen als für andere Apps oder Tools ohne Nachfrage erlauben. Was für alle Apps verboten ist, bleibt verboten.`,
  presets: 'Standard für alle Tools',
  preset: {
    everything: 'Erlauben',
    'ask-changes': 'Vor Änderungen fragen',
    'read-only': 'Nur lesende Tools erlauben',
    'only-allowed': 'Verbieten',
  },
  presetHint: {
    everything: 'Postern fragt nicht. Viele KI-Apps fragen selbst.',
    'ask-changes': 'Postern fragt vor jedem Aufruf, außer der Server sagt, dass das Tool nur liest.',
    'read-only': 'Andere Tools sind verboten, auch früher erlaubte, bis Sie sie wieder erlauben.',
    'only-allowed': 'Nur Tools, die Sie einzeln erlauben, dürfen aufgerufen werden. Neue sind verboten.',
  },
  hint: 'Ob ein Tool nur liest, sagt der Server selbst. Postern kann das nicht prüfen, und ein unehrlicher Server kann lügen.',
  promptInjection:
    'KI-Modelle lesen Beschreibungen und Ergebnisse von Tools, und ein böswilliger Server kann sie darüber in die Irre führen. Verbieten Sie Tools, die Sie nicht brauchen. Stellen Sie riskante auf „Fragen“.',
  hints: {
    hidden: 'Die Beschreibung dieses Tools enthält unsichtbare Zeichen:',
    instructions: 'Die Beschreibung dieses Tools liest sich wie eine Anweisung an das KI-Modell:',
  },
  changes: 'Geändert seit Ihrer letzten Prüfung',
  changesIntro: 'Durchgestrichen ist, was der Server bei Ihrer letzten Prüfung sagte. Unterstrichen ist neu.',
  changedNotice: 'Manche Tools dieses Servers sind neu oder haben sich seit Ihrer letzten Prüfung geändert.',
  changedMark: 'Änderungen zu prüfen',
  review: 'Änderungen prüfen',
  changeKind: { new: 'Neu', changed: 'Geändert', gone: 'Entfernt' },
  changeCut: 'Es gibt mehr Änderungen, als hier zu sehen sind.',
  moreChanged: (count) => (count === 1 ? 'Ein weiteres hat sich geändert.' : `${count} weitere haben sich geändert.`),
  accept: 'Als geprüft markieren',
  acceptOf: (tool) => `Als geprüft markieren: ${tool}`,
  acceptAll: (count) => `Alle ${count} als geprüft markieren`,
  whenChanged: 'Wenn sich Tools ändern',
  changedRule: { show: 'Benachrichtigen', hold: 'Geänderte Tools sperren, bis ich sie prüfe' },
  asForAll: (rule) => `Wie in den Einstellungen: ${rule}`,
  changedRuleHint: {
    show: 'KI-Apps nutzen sie weiter. Die meisten Änderungen sind harmlos: ein anderer Satz, ein neues Feld.',
    hold: 'Neue und geänderte Tools sind für KI-Apps unsichtbar und lassen sich nicht aufrufen, auch nicht in Postern.',
  },
  capabilities: 'Ressourcen und Prompts',
  offer: {
    resources: 'KI-Apps dürfen seine Ressourcen auflisten und lesen',
    prompts: 'KI-Apps dürfen seine Prompts auflisten und nutzen',
  },
  offForAll: 'Für alle Apps ausgeschaltet.',
  summary: {
    preset: {
      everything: 'Darf jedes Tool aufrufen',
      'ask-changes': 'Fragt vor Änderungen',
      'read-only': 'Nur lesende Tools',
      'only-allowed': 'Nur erlaubte Tools',
    },
    denied: (count) => `${count} verboten`,
    asking: (count) => (count === 1 ? '1 fragt' : `${count} fragen`),
    without: { resources: 'keine Ressourcen', prompts: 'keine Prompts' },
    holds: 'geänderte Tools sind gesperrt',
  },
  summaryOf: (server, summary) => `Berechtigungen für ${server}: ${summary}`,
  list: 'Tools',
  rules: { allow: 'Erlauben', ask: 'Fragen', deny: 'Verbieten' },
  byPreset: (rule) => `Standard (${rule})`,
  ruleOf: (tool) => `Regel für ${tool}`,
  holds: { allow: 'erlaubt', ask: 'fragt', deny: 'verboten' },
  decidedByAll: (rule) => `${rule} für alle Apps`,
  gone: 'Der Server führt dieses Tool nicht mehr auf',
  signInFirst: 'Melden Sie sich an, um die Tools dieses Servers zu sehen. Diese Einstellungen gelten trotzdem.',
};

export const approvalWords: Translated<typeof englishApprovalWords> = {
  known: (app, server) => `${app} möchte ${server} nutzen.`,
  unknownApp: (name, server) =>
    name === ''
      ? `Eine App, die sich nicht ausweist, möchte ${server} nutzen.`
      : `Eine App, die sich „${name}“ nennt, möchte ${server} nutzen.`,
  startedBy: (parent) => `Sie gibt an, von „${parent}“ gestartet worden zu sein.`,
  meaning: (server) => `Das haben Sie noch nicht erlaubt. Die App würde ${server} mit Ihrer Anmeldung nutzen.`,
  onlyOnce: 'Postern kennt diese App nicht. Sie können sie deshalb nur einmal erlauben.',
  remaining: (time) => `Ohne Antwort lehnt Postern in ${time} ab.`,
  unanswered: 'Noch nicht beantwortet',
  askedAgo: (distance) => `${distance} gefragt`,
  whenAskedAgain: 'Ihre Antwort gilt, wenn sie wieder fragt.',
  waiting: (count) => (count === 1 ? 'Eine weitere Anfrage wartet.' : `${count} weitere Anfragen warten.`),
  answers: { no: 'Ablehnen', once: 'Einmal erlauben', always: 'Immer erlauben' },
};

export const questionWords: Translated<typeof englishQuestionWords> = {
  during: (server, host, tool) => `„${server}“ (${host}) hat eine Frage, während „${tool}“ läuft`,
  onItsOwn: (server, host) => `„${server}“ (${host}) hat eine Frage`,
  decline: 'Ablehnen',
  send: 'Senden',
  open: 'Im Browser öffnen',
  done: 'Ich bin fertig',
  secret:
    'Das sieht nach einem Geheimnis aus. Geben Sie hier keine Passwörter, Schlüssel oder Codes ein. Danach sollte ein Server auf einer Webseite fragen.',
  page: (place) => `Er möchte eine Seite bei ${place} öffnen:`,
  confusable: 'Dieser Hostname lässt sich mit einem anderen verwechseln. Prüfen Sie ihn genau.',
  opened: 'Die Seite ist in Ihrem Browser offen. Kommen Sie zurück, wenn Sie dort fertig sind.',
  failed: 'Postern konnte keinen Browser öffnen. Öffnen Sie die Adresse selbst, und kommen Sie dann zurück.',
  remaining: (time) => `Ohne Antwort bricht Postern in ${time} ab.`,
  refused: {
    address: 'Der Server wollte eine Adresse öffnen, die Postern nicht öffnet. Postern hat abgelehnt.',
    form: 'Der Server hat nach etwas gefragt, das Postern nicht anzeigen kann. Postern hat abgelehnt.',
    'too-many': 'Der Server fragt zu oft. Postern gibt seine Fragen nicht mehr weiter.',
    'too-late': 'Die Frage des Servers ist ohne Antwort abgelaufen.',
  },
  formats: {
    email: 'Eine E-Mail-Adresse.',
    uri: 'Eine Webadresse, etwa https://example.com.',
    date: 'Ein Datum, etwa 2027-05-31.',
    'date-time': 'Ein Zeitpunkt, etwa 2027-05-31T09:30:00Z.',
  },
  whole: 'Eine ganze Zahl.',
  pattern: (pattern) => `Muss diesem Muster entsprechen: ${pattern}`,
  range: (kind, least, most) => {
    const unit = kind === 'text' ? ' Zeichen' : '';
    if (least !== undefined && most !== undefined) return `${least} bis ${most}${unit}.`;
    return least === undefined ? `Höchstens ${most}${unit}.` : `Mindestens ${least}${unit}.`;
  },
};
