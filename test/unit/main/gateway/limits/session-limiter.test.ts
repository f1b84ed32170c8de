import { expect, it } from 'vitest';
import { SessionLimiter } from '../../../../../main/gateway/limits/session-limiter.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

const { sessions, sessionsOfApp } = gatewaySession;

function openMany() {
  const limiter = new SessionLimiter();
  const gone: string[] = [];
  const open = (app: string, count = 1): void => {
    for (let left = count; left > 0; left -= 1) limiter.enter({ app, evict: () => void gone.push(app) });
  };
  return { limiter, gone, open };
}

it('ends an HTTP session of the app with the most if there is no room for another', () => {
  const { gone, open } = openMany();
  open('oldest');
  for (let count = 0; count * sessionsOfApp < sessions; count += 1) open(`many ${count}`, sessionsOfApp);
  expect(gone).toEqual(['many 0']);
  open('one more');
  expect(gone).toEqual(['many 0', 'many 1']);
});

it('ends a session of the app itself if it has used its share', () => {
  const { gone, open } = openMany();
  open('other', 3);
  open('many', 2 * sessionsOfApp);
  expect(gone).toEqual(Array.from({ length: sessionsOfApp }, () => 'many'));
});

it('never ends a session on the socket', () => {
  const { limiter, open } = openMany();
  for (let count = 0; count < sessions; count += 1) limiter.enter({ app: undefined });
  expect(() => open('one more')).toThrow(expect.objectContaining({ code: 'GATEWAY_BUSY' }));
});
