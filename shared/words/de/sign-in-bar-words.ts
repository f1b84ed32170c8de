import type { Translated } from '../../language.ts';
import type { signInBarWords as englishSignInBarWords } from '../en/sign-in-bar-words.ts';

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
