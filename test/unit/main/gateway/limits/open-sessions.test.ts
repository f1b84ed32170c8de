import { expect, it } from 'vitest';
import { OpenSessions } from '../../../../../main/gateway/limits/open-sessions.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

const { sessions, sessionsOfApp } = gatewaySession;

function openMany() {
  const opened = new OpenSessions();
  const gone: string[] = [];
  const enter = (app: string | undefined, limit: 'counted' | 'evictable'): void => {
    const record = app === undefined ? undefined : { id: app };
    opened.makeRoom(record);
    opened.add({ app: record, limit, hangUp: () => void gone.push(app ?? '') });
  };
  const open = (app: string, count = 1): void => {
    for (let left = count; left > 0; left -= 1) enter(app, 'evictable');
  };
  return { open, gone, enter };
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
  const { enter, open } = openMany();
  for (let count = 0; count < sessions; count += 1) enter(undefined, 'counted');
  expect(() => open('one more')).toThrow(expect.objectContaining({ code: 'GATEWAY_BUSY' }));
});
