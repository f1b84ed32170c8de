import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { RefusedRequest } from '../../../../../main/mcp/http/credential-gate.ts';
import { ServerOutage } from '../../../../../main/oauth/discovery/discovery.ts';
import { Connections } from '../../../../../main/window/connections/connections.ts';
import { IntegrationBoard } from '../../../../../main/window/state/integration-board.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const notes = anIntegration({ id: 'notes' });
const signIn = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
const scope = new RefusedRequest('SCOPE_REQUIRED', {
  stage: 'connection',
  refusal: { kind: 'insufficient-scope', challenge: undefined },
});

function open() {
  const board = new IntegrationBoard({
    refreshing: { status: () => undefined, review: () => {} },
    connections: new Connections(() => {}),
    storageProblem: () => undefined,
    iconsOf: () => undefined,
    local: { status: () => ({ state: 'off', processes: [] }) },
    clock: { now: () => 0 },
    onChange: () => {},
  });
  return { board, view: (integration = notes) => board.views([integration])[0] };
}

describe('a program that needs the person', () => {
  it('has one card on the integration, with the name of the last one', () => {
    const { board, view } = open();
    board.want('notes', 'Cursor', signIn);
    board.want('notes', 'Zed', scope);
    expect(view()).toMatchObject({ wantedBy: 'Zed', status: { name: 'needsAccess' } });
  });

  it('has none once it was signed in to, and the state is as it was', () => {
    const { board, view } = open();
    board.want('notes', 'Cursor', signIn);
    board.signedIn('notes');
    expect(view()).not.toHaveProperty('wantedBy');
    expect(view()).toMatchObject({ status: { name: 'ready' } });
  });

  it('has none where something else stops the server, which a sign-in would not mend', () => {
    const { board, view } = open();
    board.want('notes', 'Cursor', signIn);
    board.observe(notes, new PosternError('CONNECT_FAIL', { stage: 'connection' }));
    expect(view()).not.toHaveProperty('wantedBy');
  });

  it('keeps its card while only its permission lacks, whatever another call answers', () => {
    const { board, view } = open();
    board.want('notes', 'Cursor', scope);
    board.answered(notes);
    expect(view()).toMatchObject({ wantedBy: 'Cursor' });
    board.want('notes', 'Cursor', signIn);
    board.answered(notes);
    expect(view()).not.toHaveProperty('wantedBy');
  });

  it('is the same where the person made the call: the next sign-in still asks for the permission', () => {
    const { board, view } = open();
    board.observe(notes, scope);
    board.answered(notes);
    expect(view()).toMatchObject({ status: { name: 'needsAccess' } });
    expect(board.of('notes').refusal).toMatchObject({ kind: 'insufficient-scope' });
    board.forget('notes');
    expect(view()).toMatchObject({ status: { name: 'ready' } });
    expect(board.of('notes').refusal).toBeUndefined();
  });

  it.each([
    ['a renewal', new PosternError('CLIENT_REJECTED', { stage: 'refresh' })],
    ['the want of one', signIn],
  ])('has none once %s that had failed works again, by whichever process', (_, error) => {
    const { board, view } = open();
    board.want('notes', 'Cursor', error);
    expect(view({ ...notes, refreshedAt: -1 })).toMatchObject({ wantedBy: 'Cursor', status: { name: 'signInAgain' } });
    const renewed = view({ ...notes, refreshedAt: 1 });
    expect(renewed).not.toHaveProperty('wantedBy');
    expect(renewed).toMatchObject({ status: { name: 'ready' } });
  });

  it('keeps its card where a renewed token lacks the permission as well', () => {
    const { board, view } = open();
    board.want('notes', 'Cursor', scope);
    expect(view({ ...notes, refreshedAt: 1 })).toMatchObject({ wantedBy: 'Cursor', status: { name: 'needsAccess' } });
  });

  it('is told what the list remembers, until this run has seen more', () => {
    const { board, view } = open();
    const moved = anIntegration({ id: 'notes', state: 'reauthenticationRequired', notes: ['address-changed'] });
    expect(view(moved)).toMatchObject({ status: { name: 'signInAgain', error: { code: 'ADDRESS_CHANGED' } } });
    board.observe(notes, new PosternError('REFRESH_REVOKED', { stage: 'refresh' }));
    expect(view(moved)).toMatchObject({ status: { name: 'signInAgain', error: { code: 'REFRESH_REVOKED' } } });
  });

  it('leaves alone what a sign-in by the window itself was warned of', () => {
    const { board, view } = open();
    board.observe(notes, scope);
    board.signedIn('notes');
    expect(view()).toMatchObject({ status: { name: 'needsAccess' } });
  });
});

describe('an address at which nobody answers', () => {
  const again = anIntegration({ id: 'notes-again', url: notes.url });
  const elsewhere = anIntegration({ id: 'elsewhere', url: 'https://elsewhere.example/mcp' });
  const dead = new PosternError('CONNECT_FAIL', { stage: 'connection' });

  it('is offline in each of its entries, and in no other', () => {
    const { board, view } = open();
    board.observe(notes, dead);
    expect([notes, again, elsewhere].map((entry) => view(entry)?.status.name)).toEqual(['offline', 'offline', 'ready']);
    board.answered(again);
    expect([notes, again].map((entry) => view(entry)?.status.name)).toEqual(['ready', 'ready']);
  });

  it.each([scope, new ServerOutage('MCP_FAILED', { stage: 'connection' })])(
    'has somebody again who says %s',
    (said) => {
      const { board, view } = open();
      board.observe(notes, dead);
      board.observe(again, said);
      expect(view(notes)?.status.name).toBe('ready');
      expect(view(again)?.status.name).not.toBe('ready');
    },
  );
});
