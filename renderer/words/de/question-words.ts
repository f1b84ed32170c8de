import type { Translated } from '../../../shared/translated.ts';
import type { questionWords as english } from '../en/question-words.ts';

export const questionWords: Translated<typeof english> = {
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
