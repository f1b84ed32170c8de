/** Why a sign-in page may not work in a Postern window. */
export const signInNeeds = ['second-window', 'passkey'] as const;
export type SignInNeed = (typeof signInNeeds)[number];

/** Why a page did not load, in the detail that a user needs. */
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

/** A notice in the bar above a sign-in page. Main passes it in the bar's URL fragment. */
export type SignInNotice =
  | { readonly needs: SignInNeed }
  /** `code`: Chromium's error name. */
  | { readonly failed: LoadFailure; readonly code: string };
