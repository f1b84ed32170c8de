import type { CdpParams } from './cdp-connection.ts';
import { createEvent } from './electron-event.ts';
import { internalEvents } from './internal-events.ts';
import type { StandInWebContents } from './web-contents.ts';

type Login = { username: string; password: string } | undefined;

/** The `login` event of web contents and `app`: rejected, unless a listener prevents that and answers. */
export function askForLogin(contents: StandInWebContents, challenge: CdpParams): Promise<Login> {
  return new Promise((resolve) => {
    const { origin, scheme, realm, source } = challenge;
    const { hostname, port } = new URL(String(origin));
    const info = { isProxy: source === 'Proxy', scheme, host: hostname, port: Number(port), realm };
    const answer = (username?: string, password?: string): void =>
      resolve(username === undefined ? undefined : { username, password: password ?? '' });
    const event = createEvent();
    const values = [{ url: String(origin) }, info, answer];
    contents.emit('login', event, ...values);
    internalEvents.emit('contentsEvent', 'login', event, contents, values);
    if (!event.defaultPrevented) resolve(undefined);
  });
}
