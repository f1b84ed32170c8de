import { expect, test } from 'vitest';
import { changedChoices, changesToSave, touchedSince } from '../../../../renderer/integration/settings-draft.ts';
import { anIntegrationView, options } from '../../../renderer/fixtures.ts';

const saved = anIntegrationView({ options: { ...options, scope: 'read', signInSurface: 'popup' } });
const endpoints = { authorization: 'https://as.example/authorize', token: 'https://as.example/token' };

test('lists only the choices that would change', () => {
  expect(changedChoices(saved, {})).toEqual([]);
  expect(
    changedChoices(saved, { name: ` ${saved.name} `, scope: 'read', endpoints: { authorization: ' ', token: '' } }),
  ).toEqual([]);
  expect(changedChoices(saved, { name: 'Tickets', pkce: 'always', endpoints })).toEqual(['name', 'pkce', 'endpoints']);
});

test('sends only changes to main, and null for a cleared value', () => {
  expect(changesToSave(saved, {})).toEqual({ id: 'linear' });
  expect(changesToSave(saved, { name: ' Tickets ' })).toEqual({ id: 'linear', name: 'Tickets' });
  expect(changesToSave(saved, { signInSurface: null, local: true })).toEqual({
    id: 'linear',
    options: { signInSurface: null, local: true },
  });
  const typed = anIntegrationView({ options: { ...options, endpoints } });
  expect(changesToSave(typed, { endpoints: { authorization: '', token: ' ' } })).toEqual({
    id: 'linear',
    options: { endpoints: null },
  });
});

test('keeps what the user types while the rest is being saved', () => {
  expect(touchedSince({ name: 'Tickets 2', scope: 'read' }, { name: 'Tickets', scope: 'read' })).toEqual({
    name: 'Tickets 2',
  });
});
