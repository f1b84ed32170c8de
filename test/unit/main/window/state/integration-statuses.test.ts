import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { RefusedRequest } from '../../../../../main/mcp/http/credential-gate.ts';
import { ServerOutage } from '../../../../../main/oauth/discovery/discovery.ts';
import { SignInAttempts } from '../../../../../main/window/attempts/sign-in-attempts.ts';
import { IntegrationStatuses } from '../../../../../main/window/state/integration-statuses.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const notes = anIntegration({ id: 'notes' });
const signIn = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
const scope = new RefusedRequest('SCOPE_REQUIRED', {
  stage: 'connection',
  refusal: { kind: 'insufficient-scope', challenge: undefined },
});

function open() {
  const statuses = new IntegrationStatuses({
    refreshing: { status: () => undefined, review: () => {} },
    attempts: new SignInAttempts(() => {}),
    storageProblem: () => undefined,
    iconsOf: () => undefined,
    local: { status: () => ({ state: 'off', processes: [] }) },
    clock: { now: () => 0 },
    onChange: () => {},
  });
  return { statuses, view: (integration = notes) => statuses.views([integration])[0] };
}

describe('an app that needs the user', () => {
  it('has one card on the integration, with the name of the latest app', () => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', signIn);
    statuses.markNeedsUser('notes', 'Zed', scope);
    expect(view()).toMatchObject({ wantedBy: 'Zed', status: { name: 'needsAccess' } });
  });

  it('has no card after a sign-in, and the status is as before', () => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', signIn);
    statuses.markSignedIn('notes');
    expect(view()).not.toHaveProperty('wantedBy');
    expect(view()).toMatchObject({ status: { name: 'ready' } });
  });

  it('has no card if the server fails for a reason that a sign-in would not fix', () => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', signIn);
    statuses.observe(notes, new PosternError('CONNECT_FAIL', { stage: 'connection' }));
    expect(view()).not.toHaveProperty('wantedBy');
  });

  it('keeps its card while a permission is missing, whatever another call returns', () => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', scope);
    statuses.markResponded(notes);
    expect(view()).toMatchObject({ wantedBy: 'Cursor' });
    statuses.markNeedsUser('notes', 'Cursor', signIn);
    statuses.markResponded(notes);
    expect(view()).not.toHaveProperty('wantedBy');
  });

  it('makes the next sign-in request the permission, even if the user made the call', () => {
    const { statuses, view } = open();
    statuses.observe(notes, scope);
    statuses.markResponded(notes);
    expect(view()).toMatchObject({ status: { name: 'needsAccess' } });
    expect(statuses.of('notes').refusal).toMatchObject({ kind: 'insufficient-scope' });
    statuses.forget('notes');
    expect(view()).toMatchObject({ status: { name: 'ready' } });
    expect(statuses.of('notes').refusal).toBeUndefined();
  });

  it.each([
    ['a refresh', new PosternError('CLIENT_REJECTED', { stage: 'refresh' })],
    ['a required sign-in', signIn],
  ])('has no card once %s is resolved by any process', (_, error) => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', error);
    expect(view({ ...notes, refreshedAt: -1 })).toMatchObject({ wantedBy: 'Cursor', status: { name: 'signInAgain' } });
    const renewed = view({ ...notes, refreshedAt: 1 });
    expect(renewed).not.toHaveProperty('wantedBy');
    expect(renewed).toMatchObject({ status: { name: 'ready' } });
  });

  it('keeps its card if a refreshed token also lacks the permission', () => {
    const { statuses, view } = open();
    statuses.markNeedsUser('notes', 'Cursor', scope);
    expect(view({ ...notes, refreshedAt: 1 })).toMatchObject({ wantedBy: 'Cursor', status: { name: 'needsAccess' } });
  });

  it('shows the stored problem until this run finds another', () => {
    const { statuses, view } = open();
    const moved = anIntegration({ id: 'notes', state: 'reauthenticationRequired', notes: ['address-changed'] });
    expect(view(moved)).toMatchObject({ status: { name: 'signInAgain', error: { code: 'ADDRESS_CHANGED' } } });
    statuses.observe(notes, new PosternError('REFRESH_REVOKED', { stage: 'refresh' }));
    expect(view(moved)).toMatchObject({ status: { name: 'signInAgain', error: { code: 'REFRESH_REVOKED' } } });
  });

  it('keeps a missing permission that a sign-in in the window did not grant', () => {
    const { statuses, view } = open();
    statuses.observe(notes, scope);
    statuses.markSignedIn('notes');
    expect(view()).toMatchObject({ status: { name: 'needsAccess' } });
  });
});

describe('an unreachable address', () => {
  const again = anIntegration({ id: 'notes-again', url: notes.url });
  const elsewhere = anIntegration({ id: 'elsewhere', url: 'https://elsewhere.example/mcp' });
  const dead = new PosternError('CONNECT_FAIL', { stage: 'connection' });

  it('is offline in each of its entries, and in no other', () => {
    const { statuses, view } = open();
    statuses.observe(notes, dead);
    expect([notes, again, elsewhere].map((entry) => view(entry)?.status.name)).toEqual(['offline', 'offline', 'ready']);
    statuses.markResponded(again);
    expect([notes, again].map((entry) => view(entry)?.status.name)).toEqual(['ready', 'ready']);
  });

  it.each([scope, new ServerOutage('MCP_FAILED', { stage: 'connection' })])(
    'is reachable again after the response %s',
    (error) => {
      const { statuses, view } = open();
      statuses.observe(notes, dead);
      statuses.observe(again, error);
      expect(view(notes)?.status.name).toBe('ready');
      expect(view(again)?.status.name).not.toBe('ready');
    },
  );
});
