import type { Translated } from '../../../shared/translated.ts';
import type { updateWords as english } from '../en/update-words.ts';

export const updateWords: Translated<typeof english> = {
  title: 'Updates',
  newer: 'Neuere Versionen',
  automatic: 'Nach neueren Versionen von Postern suchen',
  automaticHint: 'Beim Start und einmal am Tag. Heruntergeladen oder installiert wird nur, wenn Sie es sagen.',
  check: 'Jetzt suchen',
  checking: 'Wird gesucht…',
  current: (version, when) =>
    when === undefined ? `Das ist ${version}.` : `${version} ist die neueste Version (gesucht ${when}).`,
  available: (version) => `Postern ${version} ist verfügbar.`,
  download: 'Herunterladen',
  downloading: (version, percent) => `Postern ${version} wird heruntergeladen: ${percent} %`,
  ready: (version) => `Postern ${version} ist bereit.`,
  readyText: 'Es startet mit dem nächsten Start von Postern oder jetzt.',
  restart: 'Jetzt neu starten',
  later: 'Später',
  obstacles: {
    source: 'Dieses Postern läuft aus seinem Quelltext; aktualisieren Sie diesen.',
    managed: 'Postern wird von der Verwaltung dieses Computers aktualisiert.',
    'unsigned-build': 'Diese Ausgabe von Postern kennt keine Quelle für Updates, der sie trauen könnte.',
    'not-installed': 'Dieses Postern wurde von Hand entpackt; neuere Versionen gibt es dort, wo Sie es herhaben.',
  },
};
