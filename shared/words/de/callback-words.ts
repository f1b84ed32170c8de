import type { CallbackWords } from '../en/callback-words.ts';

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
