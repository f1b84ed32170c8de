import type { Translated } from '../../language.ts';

/** What the browser shows at the end of a sign-in, by its outcome. */
export const callbackWords = {
  done: {
    title: 'Back to Postern',
    sentence: 'The sign-in page has answered. You can close this tab; Postern does the rest.',
  },
  refused: {
    title: 'Not signed in',
    sentence: 'Access was not granted on the sign-in page. You can close this tab; Postern shows what to do next.',
  },
  expired: {
    title: 'This sign-in is over',
    sentence: 'It took too long, was cancelled, or was used already. Close this tab and start again in Postern.',
  },
  failed: {
    title: 'Not signed in',
    sentence:
      'The answer of the sign-in page could not be used, so Postern stopped. Close this tab; Postern shows what to do next.',
  },
  used: {
    title: 'Answered already',
    sentence: 'The sign-in page has answered before. You can close this tab; Postern shows how it went.',
  },
  superseded: {
    title: 'This sign-in is over',
    sentence: 'A newer sign-in was started for this integration. Close this tab, and finish the newer one.',
  },
  'opened-twice': {
    title: 'This sign-in was stopped',
    sentence:
      'Its link was opened twice: by somebody else on this computer, or by a program that looks at links beforehand. Close this tab and start again in Postern.',
  },
  'not-valid': {
    title: 'Nothing happened',
    sentence:
      'This link does not belong to the sign-in that Postern waits for; perhaps a newer one was started. You can close this tab.',
  },
  unknown: {
    title: 'Nothing here',
    sentence: 'Postern only answers its own sign-in callback at this address. You can close this tab.',
  },
};

export type CallbackWords = Translated<typeof callbackWords>;
