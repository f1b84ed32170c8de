import { describe, expect, it } from 'vitest';
import { unlimited } from '../../../../../main/gateway-ports.ts';
import { PendingConnections } from '../../../../../main/gateway/limits/open-sessions.ts';
import { WaitingSession } from '../../../../../main/gateway/session/waiting-session.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

const most = gatewaySession.refusedSessions;

function enterMany() {
  const pending = new PendingConnections({ after: () => () => {} });
  const gone: string[] = [];
  const enter = (name: string, isAsked?: boolean, app?: string) => pending.enter(app, () => gone.push(name), isAsked);
  return { gone, enter };
}

describe('sessions that are not allowed yet', () => {
  it('keep a session that waits for approval, however many are refused (GW-26)', () => {
    const { gone, enter } = enterMany();
    enter('waits', true);
    for (let count = 0; count < 3 * most; count += 1) enter(`refused ${count}`);
    expect(gone).toHaveLength(2 * most + 1);
    expect(gone[0]).toBe('refused 0');
    expect(gone).not.toContain('waits');
  });

  it('keep the session of an app that has sent a request (GW-26)', async () => {
    const pending = new PendingConnections({ after: () => () => {} });
    const gone: string[] = [];
    const open = (name: string): WaitingSession => {
      const nobody = () => Promise.resolve();
      const connection = { send: nobody, requeue: nobody, hangUp: () => gone.push(name) };
      return new WaitingSession({ connection, reading: unlimited }, undefined, pending, () => new Promise(() => {}));
    };
    open('silent');
    await open('asks').receive(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
    for (let count = 0; count < most; count += 1) pending.enter(undefined, () => {});
    expect(gone).toEqual(['silent']);
  });

  it('keep a session that waits, however many of another app do (GW-26)', () => {
    const { gone, enter } = enterMany();
    enter('waits', true, 'one');
    for (let count = 0; count < 2 * most; count += 1) enter(`${count}`, true, 'another');
    expect(gone).toHaveLength(most + 1);
    expect(gone).not.toContain('waits');
  });

  it('end the session that has waited longest if all of them wait', () => {
    const { gone, enter } = enterMany();
    const [leave] = Array.from({ length: most }, (_, count) => enter(`${count}`, true));
    enter('next', true);
    expect(gone).toEqual(['0']);
    leave?.();
    enter('last', true);
    expect(gone).toEqual(['0', '1']);
  });
});
