import type { Session } from 'electron';

/**
 * Takes the network from a session: every connection of its pages must go to a proxy that nobody can be, on port 0.
 * `app://` is answered by the program itself and asks no proxy. Chromium would spare addresses of this computer
 * (`<-loopback>`), where other programs listen. Resolves when it is in force.
 */
export async function sealSession(session: Session): Promise<void> {
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:0',
    proxyBypassRules: '<-loopback>',
  });
}
