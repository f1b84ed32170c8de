import { expect, it } from 'vitest';
import { keepsRunning } from '../../../../../main/window/state/window-settings.ts';

const record = { id: '0123456789abcdef', program: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1 };

it.each([
  ['nobody uses it', {}, [], false],
  ['a program uses a server', {}, [record], true],
  ['it may not any more', {}, [{ ...record, revokedAt: 2 }], false],
  ['it uses none any more', {}, [{ ...record, integrations: [] }], false],
  ['the person says no', { keepRunning: false }, [record], false],
  ['the person says yes', { keepRunning: true }, [], true],
])('where %s', (_, settings, records, expected) => {
  expect(keepsRunning(settings, records)).toBe(expected);
});
