import type { Translated } from '../../../shared/translated.ts';
import type { permitWords as english } from '../en/permit-words.ts';

export const permitWords: Translated<typeof english> = {
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
  },
  presetHint: {
    everything: 'Postern fragt nicht nach; viele Programme tun das selbst.',
    'ask-changes': 'Ein kleines Fenster fragt jedes Mal, außer der Server sagt, dass das Tool nur liest.',
    'read-only': 'Die anderen sind verboten. Auch was einzeln erlaubt war, ist verboten, bis Sie es wieder erlauben.',
  },
  hint: 'Ob ein Tool nur liest, sagt der Server selbst. Niemand prüft das: Ein unehrlicher Server kann es von jedem Tool sagen.',
  misled:
    'Beschreibungen und Ergebnisse von Tools liest auch das KI-Modell, und ein böswilliger Server kann es damit in die Irre führen. Verbieten Sie, was Sie nicht brauchen, und lassen Sie nachfragen, wo Schaden entstehen kann.',
  hints: {
    hidden: 'Was der Server über dieses Tool sagt, enthält Zeichen, die niemand sieht:',
    instructions: 'Was der Server über dieses Tool sagt, liest sich wie eine Anweisung an das KI-Modell:',
  },
  list: 'Tools',
  rules: { allow: 'Erlauben', ask: 'Fragen', deny: 'Verbieten' },
  byPreset: (rule) => `Wie oben (${rule})`,
  ruleOf: (tool) => `Was mit ${tool} geschieht`,
  holds: { allow: 'erlaubt', ask: 'fragt', deny: 'verboten' },
  decidedByAll: (rule) => `${rule}, weil das für alle Programme gilt`,
  gone: 'Zurzeit nicht unter den Tools des Servers',
  signInFirst: 'Melden Sie sich an, um die Tools dieses Servers zu sehen. Was hier eingestellt ist, gilt trotzdem.',
};
