import { dateStyle } from '../../host/date-style.ts';
import type { KnownDateStyle } from '../../host/date-style.ts';
import { findCheckout } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { readVersion } from '../output/version.ts';

/** How a command ends. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  notRunnable: 126,
  notFound: 127,
  interrupted: 130,
} as const;

/** A full disk, where somebody keeps the answer and would take what is left of it for the whole. */
export const lostAnswer = 'Error: The answer could not be written to standard output.\n';

/** The folder of this process; nothing where it has been removed. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Variables that the answer to a command may depend on; they have to be the same where it runs. */
const ofAnswers =
  /^(?:POSTERN_(?!HOME$)\w+|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_\w+|NODE_\w+|BROWSER|(?:WAYLAND_)?DISPLAY)$/iu;

export const bearsOnAnswer = (name: string): boolean => ofAnswers.test(name);

/** Which program this is, whose keychain it uses, and how it writes dates and sorts. `known`: of whom it asks. */
export function identityOf({ channel }: Installation, known?: KnownDateStyle): readonly string[] {
  const { locale, timeZone } = dateStyle(known);
  return [readVersion(), channel, findCheckout() ?? '', locale, timeZone];
}
