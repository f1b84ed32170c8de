import type { LoadFailure, SignInNeed } from '../../sign-in-notice.ts';

/** The bar above a sign-in page in a window of Postern. */
export const signInBarWords = {
  notEncrypted: 'Not encrypted',
  useBrowser: 'Use my browser instead',
  tryAgain: 'Try again',
  needs: {
    'second-window': 'That opens a second window, and this one cannot open any. Your browser can.',
    passkey: 'Passkeys and security keys often do not work in this window. They do in your browser.',
  } satisfies Record<SignInNeed, string>,
  notLoaded: 'The sign-in page could not be loaded',
  failed: {
    offline: () => 'This computer is not connected to the internet. Try again once it is.',
    'no-such-host': (host) =>
      `Nothing was found at ${host}. Check your connection, or the address with the service. Your browser may get there.`,
    refused: (host) => `${host} does not take connections just now. Your browser may get there.`,
    closed: (host) => `${host} closed the connection before the page had come. Your browser may get there.`,
    'too-slow': (host) => `${host} took too long to answer. Your browser may get there.`,
    unreachable: (host) => `${host} cannot be reached from this computer. Your browser may get there.`,
    certificate: (host) =>
      `The certificate of ${host} is not valid, so whoever answers may not be ${host}. Go on in your browser only if it shows the page without a warning.`,
    encryption: (host) => `No encrypted connection to ${host} could be made. Your browser may get there.`,
    proxy: (host) =>
      `The proxy of your network did not let the connection to ${host} through. Your browser may get there.`,
    redirects: (host) =>
      `${host} sent this window from one address to the next without an end. Your browser may get there.`,
    'empty-error': (host) => `${host} answered with an error, and with no page. Your browser may get there.`,
    other: (host) => `The page of ${host} did not come. Your browser may get there.`,
  } satisfies Record<LoadFailure, (host: string) => string>,
};
