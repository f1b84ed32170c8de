import type { Translated } from '../../../shared/translated.ts';
import type { backgroundWords as english } from '../en/background-words.ts';

export const backgroundWords: Translated<typeof english> = {
  paused: 'Programme sind angehalten',
  pausedText: 'Alle Anfragen an Ihre Server werden abgewiesen; die Programme erfahren den Grund.',
  resume: 'Fortsetzen',
  portText:
    'Programme, in deren Eintrag eine Adresse von Postern steht, erreichen es nicht. Beenden Sie, was den Port belegt, und versuchen Sie es noch einmal, oder wählen Sie einen anderen; Postern zeigt dann die Einträge mit dem Port und erneuert sie.',
  portStill: 'Er ist noch belegt.',
  tryPort: 'Erneut versuchen',
  choosePort: 'Anderen Port wählen',
  offer: 'Postern starten, wenn Sie sich am Computer anmelden?',
  offerText:
    'Es startet im Hintergrund, ohne Fenster, damit Ihre Programme ihre Server sofort erreichen. Das können Sie in den Einstellungen ändern.',
  accept: 'Mitstarten',
  decline: 'Jetzt nicht',
};
