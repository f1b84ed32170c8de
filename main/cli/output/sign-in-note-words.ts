import type { SignInNote } from '../../integration/sign-in/sign-in-interaction.ts';

/** What a step of the sign-in says of a note; nothing for one that the command line tells by itself. */
export const signInNoteWords: Readonly<Record<SignInNote, string | undefined>> = {
  'another-account': 'The service answered for another account. Check it.',
  'same-account': 'The service answered for the same account as before.',
  'pkce-not-listed': 'The service wants PKCE: once more, with it.',
  'client-document-refused': 'The service refused the client metadata document: once more, with a registration.',
  'address-changed': 'Its address was changed outside Postern. The sign-in is for the new one.',
  'browser-open-failed': undefined,
};
