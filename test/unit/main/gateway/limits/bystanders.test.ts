import { describe, expect, it } from 'vitest';
import { uncounted } from '../../../../../main/gateway-ports.ts';
import { Bystanders } from '../../../../../main/gateway/limits/session-room.ts';
import { WaitingSession } from '../../../../../main/gateway/session/waiting-session.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

const most = gatewaySession.bystanders;

function enterMany() {
  const bystanders = new Bystanders({ after: () => () => {} });
  const gone: string[] = [];
  const enter = (name: string, isAsked?: boolean, program?: string) =>
    bystanders.enter(program, () => gone.push(name), isAsked);
  return { gone, enter };
}

describe('sessions that may use nothing yet', () => {
  it('keep the place of one that waits for an answer, however many are refused (GW-26)', () => {
    const { gone, enter } = enterMany();
    enter('waits', true);
    for (let count = 0; count < 3 * most; count += 1) enter(`refused ${count}`);
    expect(gone).toHaveLength(2 * most + 1);
    expect(gone[0]).toBe('refused 0');
    expect(gone).not.toContain('waits');
  });

  it('keep the session of which a program has asked for something (GW-26)', async () => {
    const bystanders = new Bystanders({ after: () => () => {} });
    const gone: string[] = [];
    const open = (name: string): WaitingSession => {
      const nobody = () => Promise.resolve();
      const line = { send: nobody, giveBack: nobody, hangUp: () => gone.push(name) };
      return new WaitingSession({ line, reading: uncounted }, undefined, bystanders, () => new Promise(() => {}));
    };
    open('silent');
    await open('asks').receive(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
    for (let count = 0; count < most; count += 1) bystanders.enter(undefined, () => {});
    expect(gone).toEqual(['silent']);
  });

  it('keep the place of one that waits, however many of another program do (GW-26)', () => {
    const { gone, enter } = enterMany();
    enter('waits', true, 'one');
    for (let count = 0; count < 2 * most; count += 1) enter(`${count}`, true, 'another');
    expect(gone).toHaveLength(most + 1);
    expect(gone).not.toContain('waits');
  });

  it('end the one that has waited longest where all of them wait', () => {
    const { gone, enter } = enterMany();
    const [leave] = Array.from({ length: most }, (_, count) => enter(`${count}`, true));
    enter('next', true);
    expect(gone).toEqual(['0']);
    leave?.();
    enter('last', true);
    expect(gone).toEqual(['0', '1']);
  });
});
