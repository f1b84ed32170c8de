import { expect, it } from 'vitest';
import { keepsRunning } from '../../../../../main/window/state/window-settings.ts';

const record = { id: '0123456789abcdef', app: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1 };

it.each([
  ['no app has access', {}, [], false],
  ['an app can use a server', {}, [record], true],
  ['its access was revoked', {}, [{ ...record, revokedAt: 2 }], false],
  ['it can use no server', {}, [{ ...record, integrations: [] }], false],
  ['the user turned it off', { keepRunning: false }, [record], false],
  ['the user turned it on', { keepRunning: true }, [], true],
])('decides whether to keep running if %s', (_, settings, records, expected) => {
  expect(keepsRunning(settings, records)).toBe(expected);
});
