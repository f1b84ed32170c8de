import { dateStyle } from '../../host/date-style.ts';
import type { KnownDateStyle } from '../../host/date-style.ts';
import { findCheckout, readVersion } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';

/** Exit codes of commands. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  notRunnable: 126,
  notFound: 127,
  interrupted: 130,
} as const;

/** For example after a full disk: otherwise the truncated output would look complete. */
export const outputLostMessage = 'Error: The result could not be written to standard output.\n';

/** The working directory; `undefined` if it has been removed. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Variables that can change a command's result. They must be the same in the process that runs it. */
const relevantVariables =
  /^(?:POSTERN_(?!HOME$)\w+|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_\w+|NODE_\w+|BROWSER|(?:WAYLAND_)?DISPLAY)$/iu;

export const affectsResult = (name: string): boolean => relevantVariables.test(name);

/** Version, channel, checkout, locale and time zone: a delegated command must run where these are equal. */
export function processIdentity({ channel }: Installation, known?: KnownDateStyle): readonly string[] {
  const { locale, timeZone } = dateStyle(known);
  return [readVersion(), channel, findCheckout() ?? '', locale, timeZone];
}
