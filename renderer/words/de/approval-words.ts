import type { Translated } from '../../../shared/translated.ts';
import type { approvalWords as english } from '../en/approval-words.ts';

export const approvalWords: Translated<typeof english> = {
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
