/** Why a sign-in page may not lead on in a window of Postern. */
export const signInNeeds = ['second-window', 'passkey'] as const;
export type SignInNeed = (typeof signInNeeds)[number];

/** Why a page could not be loaded, as far as it makes a difference to a person. */
export const loadFailures = [
  'offline',
  'no-such-host',
  'refused',
  'closed',
  'too-slow',
  'unreachable',
  'certificate',
  'encryption',
  'proxy',
  'redirects',
  'empty-error',
  'other',
] as const;
export type LoadFailure = (typeof loadFailures)[number];

/** What the bar above a sign-in page says beside where the page is: main tells it by the bar's fragment. */
export type SignInNotice =
  | { readonly needs: SignInNeed }
  /** `code`: Chromium's name for it. */
  | { readonly failed: LoadFailure; readonly code: string };
