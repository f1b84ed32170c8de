import type { Translated } from '../../../shared/translated.ts';
import type { signInWords as english } from '../en/sign-in-words.ts';

export const signInWords: Translated<typeof english> = {
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
