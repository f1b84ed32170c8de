/** Postern without its window. */
export const backgroundWords = {
  paused: 'Programs are paused',
  pausedText: 'Whatever they ask of your servers is refused, and they are told why.',
  resume: 'Resume',
  portText:
    'Programs whose entry holds an address of Postern cannot reach it. End what uses the port and try again, or choose another one; Postern then shows the entries that hold it, and renews them.',
  portStill: 'It is still in use.',
  tryPort: 'Try again',
  choosePort: 'Choose another port',
  offer: 'Start Postern when you log in?',
  offerText:
    'It starts in the background, without its window, so that your programs reach their servers at once. You can change this in Settings.',
  accept: 'Start at login',
  decline: 'Not now',
};
