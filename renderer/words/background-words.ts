/** Postern without its window. */
export const backgroundWords = {
  paused: 'Programs are paused',
  pausedText: 'Whatever they ask of your servers is refused, and they are told why.',
  resume: 'Resume',
  offer: 'Start Postern when you log in?',
  offerText:
    'It starts in the background, without its window, so that your programs reach their servers at once. You can change this in Settings.',
  accept: 'Start at login',
  decline: 'Not now',
};
