import { expect, it } from 'vitest';
import { SessionRoom } from '../../../../../main/gateway/limits/session-room.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

const { sessions, sessionsOfProgram } = gatewaySession;

function openMany() {
  const room = new SessionRoom();
  const gone: string[] = [];
  const open = (program: string, count = 1): void => {
    for (let left = count; left > 0; left -= 1) room.enter({ program, end: () => void gone.push(program) });
  };
  return { room, gone, open };
}

it('ends a session over HTTP of the program that has most of them where there is no room for another', () => {
  const { gone, open } = openMany();
  open('oldest');
  for (let count = 0; count * sessionsOfProgram < sessions; count += 1) open(`many ${count}`, sessionsOfProgram);
  expect(gone).toEqual(['many 0']);
  open('one more');
  expect(gone).toEqual(['many 0', 'many 1']);
});

it('ends one of the program itself where that has its share', () => {
  const { gone, open } = openMany();
  open('other', 3);
  open('many', 2 * sessionsOfProgram);
  expect(gone).toEqual(Array.from({ length: sessionsOfProgram }, () => 'many'));
});

it('ends no session at the socket', () => {
  const { room, open } = openMany();
  for (let count = 0; count < sessions; count += 1) room.enter({ program: undefined });
  expect(() => open('one more')).toThrow(expect.objectContaining({ code: 'GATEWAY_BUSY' }));
});
