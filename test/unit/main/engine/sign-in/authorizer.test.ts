import { describe, expect, it } from 'vitest';
import type { EnginePorts } from '../../../../../main/engine/engine-ports.ts';
import { AuthorizationSession, presentAuthorization } from '../../../../../main/engine/sign-in/authorizer.ts';
import { Flow } from '../../../../../main/engine/sign-in/flow.ts';
import type { PendingAuthorization } from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { authorizationRequest } from '../../../../support/oauth-fixtures.ts';

const log = { write: () => {} };

/** What the user interface receives for a sign-in page at `url`, and its session. */
function present(url: string): { pending: PendingAuthorization; session: AuthorizationSession } {
  const shown: PendingAuthorization[] = [];
  const interaction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    open: async (pending: PendingAuthorization) => void shown.push(pending),
  };
  const session = new AuthorizationSession(createFakeClock(), authorizationRequest({ url: asChecked(url) }), undefined);
  const listener = {
    url: 'http://127.0.0.1:4711/callback',
    linkTo: (word: string) => `http://127.0.0.1:4711/go/${word}`,
  };
  const ports = { random: systemRandom, log } as unknown as EnginePorts;
  presentAuthorization(session, listener, new Flow(log), interaction, new AbortController().signal, ports);
  const [pending] = shown;
  if (!pending) throw new Error('nothing was shown');
  return { pending, session };
}

describe('presentAuthorization', () => {
  it('creates a link of 256 bits for each start of a browser', () => {
    const { pending, session } = present('https://auth.example/authorize?state=s');
    const words = [pending.browserUrl(), pending.browserUrl()].map((link) => link.replace(/^.*\/go\//u, ''));
    expect(new Set(words).size).toBe(2);
    for (const word of words) {
      expect(Buffer.from(word, 'base64url')).toHaveLength(32);
      expect(session.openLink(word)).toEqual({ url: 'https://auth.example/authorize?state=s' });
    }
  });

  it.each(['http://192.168.1.1/authorize?state=s', 'http://auth.example/?state=s', 'javascript:alert(1)'])(
    'creates no link to a page that a browser must not open: %s (MD-13)',
    (url) => {
      expect(() => present(url).pending.browserUrl()).toThrow(expect.objectContaining({ code: 'URL_SCHEME' }));
    },
  );
});
