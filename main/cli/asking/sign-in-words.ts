import { describeError } from '../../../shared/error-catalogue.ts';
import type { CallbackVerdict } from '../../callback-ports.ts';
import type { DevicePage, SignInNote } from '../../integration/sign-in/sign-in-interaction.ts';

/** For a browser on another computer. */
export const pasteHint =
  "Open it on any computer. When the browser ends on a page that it cannot show, copy that page's address and paste it here.";

/** Above the link, by what became of a browser here. `asked`: none was wanted. */
export const linkIntroductions = {
  shown: 'Your browser should show the sign-in page now. If it does not, open this link:',
  hidden: 'No browser could be shown here. Open this link to sign in:',
  failed: 'No browser could be opened here. Open this link to sign in:',
  asked: 'Open this link to sign in:',
} as const;

/** Milliseconds after which a person who waits may be looking at an error that only the page shows. */
export const patience = 60_000;
/** For them. */
export const lateHint = 'If the page shows an error, press Ctrl-C and compare the callback URL above.';

/** A page that refuses the redirect URI leads back to nobody (RFC 6749 section 4.1.2.1), so only the user can see that. */
export function compareCallback(callbackUrl: string): string {
  return `If the page refuses the redirect or callback URL, your OAuth app has to have exactly this one:\n\n  ${callbackUrl}\n`;
}

/** What happened to a pasted address. */
export const pasteAnswers: Readonly<Record<Exclude<CallbackVerdict, 'done'>, string>> = {
  failed: 'That is the right address, but its answer could not be used.',
  'not-valid': 'That is not the address that this sign-in ends on. Still waiting.',
  expired: 'That address came too late.',
  refused: 'The sign-in was refused.',
  used: describeError('STATE_REUSED', {}).message,
  superseded: describeError('FLOW_SUPERSEDED', {}).message,
  'opened-twice': describeError('LINK_REUSED', {}).message,
};

/** What a step of the sign-in says of a note; nothing for one that the command line tells by itself. */
export const signInNoteWords: Readonly<Record<SignInNote, string | undefined>> = {
  'another-account': 'The service answered for another account. Check it.',
  'same-account': 'The service answered for the same account as before.',
  'pkce-not-listed': 'The service wants PKCE: once more, with it.',
  'registered-again': 'The sign-in page did not answer the last time: Postern has registered with the service again.',
  'client-document-refused': 'The service refused the client metadata document: once more, with a registration.',
  'address-changed': 'Its address was changed outside Postern. The sign-in is for the new one.',
  'browser-open-failed': undefined,
};

/** Of a link that refers to what the service keeps only so long (RFC 9126 section 2.2). */
export function openWithin(seconds: number): string {
  return `Open it within ${seconds} seconds: the service forgets it then.`;
}

/** For a person who has no browser here, where the service offers that. */
export const codeHint =
  'Or end this with Ctrl-C and use --sign-in device: this service gives you a code for any device.';

/** Where to sign in with a code. Whoever enters it there decides who this computer is signed in as. */
export function describeDevicePage({ page, pageWithCode, userCode }: Omit<DevicePage, 'expiresAt'>): string[] {
  const { host } = new URL(page);
  return [
    `On any device, open this page of ${host} and enter the code:`,
    `\n  ${page}\n\n  Code  ${userCode}\n`,
    ...(pageWithCode === undefined
      ? []
      : ['This link has the code already. Compare it with the one that the page shows:', `\n  ${pageWithCode}\n`]),
    'Give the code to nobody else.',
  ];
}
