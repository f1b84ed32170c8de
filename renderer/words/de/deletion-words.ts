import { undoSeconds } from '../../../shared/deletion-bounds.ts';
import type { Translated } from '../../../shared/translated.ts';
import type { deletionWords as english } from '../en/deletion-words.ts';
import { integrationWords } from './integration-words.ts';

const servers = (count: number): string => `${count} Server`;
const ofServers = (count: number): string => `${count} ${count === 1 ? 'Server' : 'Servern'}`;
const signIns = (count: number): string => `${count} ${count === 1 ? 'Anmeldung' : 'Anmeldungen'}`;

export const deletionWords: Translated<typeof english> = {
  setting: 'Alle Daten',
  settingText: 'Server, Anmeldungen, Einstellungen und Protokolle, die Postern auf diesem Computer aufbewahrt.',
  open: 'Alle Daten löschen…',
  goes: 'Was auf diesem Computer gelöscht wird',
  goesServers: (count) => `${servers(count)} mit Name, Adresse und Optionen`,
  goesSignIns: (count) => `${signIns(count)} und API-Schlüssel, und der Schlüssel dazu im Schlüsselbund`,
  goesSettings: 'alle Einstellungen, auch der Port der Callback-URL, und die Protokolle',
  goesPrograms:
    'Sammlungen, welche Programme was nutzen dürfen, was sie aufgerufen haben, und die Kopien ihrer Dateien',
  goesThen: 'Die Dienste erfahren, dass der Zugriff endet, soweit sie erreichbar sind.',
  stays: 'Was bleibt',
  staysAccounts: 'Ihre Konten bei den Diensten und alles, was Sie dort gespeichert haben',
  staysApps: 'Apps, die Sie selbst bei einem Dienst angelegt haben',
  left: (count) => (count === 0 ? 'Die Dienste werden informiert.' : `Noch ${servers(count)}.`),
  done: (count) => `${signIns(count)} aus dem Schlüsselbund entfernt.`,
  partly: (count, gone) => `${servers(count)} und ${signIns(gone)} sind gelöscht; etwas ist noch hier.`,
  ended: (count) => (count === 0 ? '' : `Die Dienste haben den Zugriff von ${signIns(count)} beendet.`),
  endsByItself: (count) =>
    count === 0
      ? ''
      : `Für ${signIns(count)} konnte dem Dienst das Ende nicht oder nicht ganz mitgeteilt werden; dieser Zugriff endet von selbst.`,
  registrations: (count) =>
    count === 0
      ? ''
      : `${count} ${count === 1 ? 'Registrierung bleibt' : 'Registrierungen bleiben'} ungenutzt bei den Diensten.`,
  begun: {
    signOut: (name, count) => `Sie sind von ${count === 1 ? name : ofServers(count)} abgemeldet.`,
    remove: (name, count) => `${count === 1 ? name : servers(count)} entfernt.`,
  },
  undo: 'Rückgängig',
  now: 'Jetzt löschen',
  final: `Nach ${undoSeconds} Sekunden ist das endgültig.`,
  telling: 'Wird gelöscht, der Dienst wird informiert.',
  finished: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name ?? ofServers(1)} wurde von diesem Computer gelöscht.`
        : `Die Anmeldungen bei ${ofServers(count)} wurden von diesem Computer gelöscht.`,
    remove: (name, count) =>
      `${count === 1 ? `${name ?? servers(1)} wurde` : `${servers(count)} wurden`} von diesem Computer entfernt.`,
  },
  kept: {
    signOut: (name, count) =>
      count === 1
        ? `Jemand hat sich bei ${name ?? ofServers(1)} neu angemeldet: Diese Anmeldung bleibt.`
        : `Jemand hat sich bei ${ofServers(count)} neu angemeldet: Diese Anmeldungen bleiben.`,
    remove: (name, count) =>
      count === 1
        ? `${name ?? servers(1)} steht wieder in der Liste und bleibt dort.`
        : `${servers(count)} stehen wieder in der Liste und bleiben dort.`,
  },
  back: {
    signOut: (name, count) => `Sie sind wieder bei ${count === 1 ? name : ofServers(count)} angemeldet.`,
    remove: (name, count) => `${count === 1 ? `${name} ist` : `${servers(count)} sind`} wieder da.`,
  },
  tooLate: 'Es war zu spät: Das Löschen hat schon begonnen.',
  entriesLeft: (programs) =>
    programs.length === 0
      ? ''
      : `Der Eintrag in ${programs.join(', ')} konnte nicht wiederhergestellt werden. Fügen Sie ihn unter „${integrationWords.use}“ neu hinzu.`,
  stillHere: {
    signOut: (name, count) =>
      count === 1
        ? `Die Anmeldung bei ${name} ist noch auf diesem Computer.`
        : `Nicht jede Anmeldung bei ${ofServers(count)} konnte gelöscht werden.`,
    remove: (name, count) =>
      count === 1
        ? `Was zu ${name} gespeichert ist, ist noch auf diesem Computer.`
        : `Nicht alles zu ${ofServers(count)} konnte gelöscht werden.`,
  },
  triesAgain: (reason) => `${reason} Postern versucht es beim nächsten Start wieder.`,
};
