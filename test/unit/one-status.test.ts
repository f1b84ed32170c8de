import { describe, expect, it } from 'vitest';
import { describeStatus as statusText } from '../../main/cli/output/describe-integration.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import { endedStatus, storedStatus } from '../../main/stored-status.ts';
import { commandHash } from '../../main/local-ports.ts';
import { describeStatus } from '../../main/window/views/describe-integration.ts';
import { words } from '../../renderer/words.ts';
import { errorCatalog, errorCodes } from '../../shared/error-codes.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import { integrationStatuses } from '../../shared/integration-view.ts';
import { storedStates } from '../../shared/integration.ts';
import { needsUser } from '../../shared/status-words.ts';
import { anIntegration } from '../support/an-integration.ts';

const now = 1_790_000_000_000;
const moments = [undefined, now - 1, now, now + 60_000];

const command = { command: 'notes', path: '/usr/bin/notes', arguments: [], variables: [] };

/** Commands that the user never allowed, or that changed since. */
const notAllowed = [undefined, commandHash({ ...command, arguments: ['--all'] })].map((allowedCommand) =>
  anIntegration({ command, ...(allowedCommand !== undefined && { allowedCommand }) }),
);
const allowed = anIntegration({ command, allowedCommand: commandHash(command) });

/** Every state that a list entry can have. */
const entries = storedStates.flatMap((state) =>
  [undefined, true, false].flatMap((hasRefreshToken) =>
    moments.flatMap((expiresAt) =>
      moments.flatMap((retryAt) =>
        [undefined, { since: now, code: 'MCP_FAILED', stage: 'connection' } as const].map((failure) =>
          anIntegration({
            state,
            ...(hasRefreshToken !== undefined && { hasRefreshToken }),
            ...(expiresAt !== undefined && { expiresAt }),
            ...(retryAt !== undefined && { retryAt }),
            ...(failure && { failure }),
          }),
        ),
      ),
    ),
  ),
);

describe('the status of a server', () => {
  it('is the same in the window and on the command line, whatever the list contains', () => {
    const said = entries.map((entry) => [statusText(entry, now), describeStatus(entry, { now }).name] as const);
    for (const [word, name] of said) expect(word).toBe(words.status[name].toLowerCase());
    expect(new Set(said.map(([, name]) => name))).toEqual(
      new Set(['ready', 'signIn', 'signInAgain', 'offline', 'failing']),
    );
  });

  it('needs the user in the tray and on the home page exactly when the list says so', () => {
    for (const entry of entries) {
      const stored = storedStatus(entry, now);
      const needs = needsUser({ status: describeStatus(entry, { now }) });
      expect(needs).toBe(stored !== 'ready' && stored !== 'offline');
    }
  });

  it.each(errorCodes.filter((code) => !hasTrait(errorCatalog[code], 'operation')))(
    'is never ready after %s, which concerns more than one operation',
    (code) => {
      const error = new PosternError(code, { stage: 'connection' });
      for (const entry of entries) {
        expect(describeStatus(entry, { now, error }).name).not.toBe('ready');
        expect(describeStatus(entry, { now, refresh: { error, isRefreshing: false } }).name).not.toBe('ready');
        expect(describeStatus(entry, { now, unreachable: error }).name).not.toBe('ready');
      }
    },
  );

  it.each(errorCodes.filter((code) => hasTrait(errorCatalog[code], 'passing')))(
    'is never ready after %s, until a response arrives',
    (code) => {
      const error = new PosternError(code, { stage: 'connection' });
      for (const entry of entries) expect(describeStatus(entry, { now, unreachable: error }).name).not.toBe('ready');
    },
  );

  it('of a command without consent in its current form is never ready, whatever its process reports', () => {
    for (const entry of notAllowed)
      for (const state of ['off', 'failed', 'stopped'] as const) {
        const { name } = describeStatus(entry, { now, local: { state } });
        expect([name, needsUser({ status: { name } })]).toEqual(['notAllowed', true]);
        expect(statusText(entry, now)).toBe(words.status.notAllowed.toLowerCase());
      }
  });

  it.each([
    ['stopped', 'stopped', 'stopped'],
    ['failed', 'failing', 'failing'],
    ['off', undefined, 'ready'],
    ['waiting', undefined, 'ready'],
  ] as const)(
    'of an allowed command that is %s is the same in the window and on the command line',
    (state, ended, name) => {
      expect(describeStatus(allowed, { now, local: { state } }).name).toBe(name);
      expect(endedStatus(state)).toBe(ended);
      expect(statusText(allowed, now, ended)).toBe(words.status[name].toLowerCase());
    },
  );

  it.each(['LOCAL_CONSENT', 'LOCAL_STOPPED'] as const)('of a command ignores a past %s', (code) => {
    const error = new PosternError(code, { stage: 'local' });
    expect(describeStatus(allowed, { now, error, local: { state: 'off' } }).name).toBe('ready');
  });

  it('is one that the window knows, and each of those can occur', () => {
    const storageProblem = new PosternError('KC_LOCKED', { stage: 'storage' });
    const wants = new PosternError('SCOPE_REQUIRED', { stage: 'connection' });
    const fails = new PosternError('MCP_FAILED', { stage: 'connection' });
    const seen = [{ now }, { now, storageProblem }, { now, error: wants }, { now, error: fails }];
    const stopped = { now, local: { state: 'stopped' } } as const;
    const names = [
      ...entries.flatMap((entry) => seen.map((each) => describeStatus(entry, each).name)),
      ...[...notAllowed, allowed].map((entry) => describeStatus(entry, stopped).name),
    ];
    expect(new Set(names)).toEqual(new Set(integrationStatuses));
  });
});
