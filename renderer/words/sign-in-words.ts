export const signInWords = {
  title: (host: string) => `Sign in at ${host}`,
  inPopup: 'A window with the sign-in page is open. Its bar shows where you are.',
  inBrowser: 'The sign-in page is open in your browser. Come back here when it says that you are done.',
  notOpened: 'No browser could be opened. Copy the link, and open it where you like.',
  notEncrypted: 'Not encrypted',
  openAgain: 'Open again',
  showAgain: 'Show the window',
  useBrowser: 'Use my browser instead',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  cancel: 'Cancel sign-in',
  timeLeft: 'left',
  timeLeftLabel: (time: string) => `${time} minutes left`,
  pasteTitle: 'Did the browser end on a page that does not load?',
  pasteText:
    'That happens when the browser runs on another computer. Copy the whole address of that page, and paste it here.',
  pasteLabel: 'Address that you landed on',
  pasteButton: 'Use this address',
  pasteVerdict: {
    done: 'That is it. Finishing.',
    refused: 'The sign-in page says that the access was refused.',
    failed: 'That is the answer, but the sign-in failed at the service.',
    expired: 'That address is too old. Start the sign-in again.',
    used: 'That answer has come before.',
    'opened-twice': 'The link of this sign-in was opened twice, so it was stopped. Start again.',
    superseded: 'A newer sign-in was started for this integration. Finish that one.',
    'not-valid': 'That is not the answer to this sign-in. Copy the whole address from the page that did not load.',
  },
  leaves: 'You can go on with something else; the sign-in waits here.',
};

/** The bar above a sign-in page in a window of Postern. */
export const signInBarWords = {
  notEncrypted: 'not encrypted',
  useBrowser: 'Use my browser instead',
};
