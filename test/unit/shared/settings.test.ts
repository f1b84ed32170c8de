import { expect, it } from 'vitest';
import { settingsInEffect, settingsViewSchema } from '../../../shared/settings-view.ts';
import { settingNames, settingOf, settingsSchema } from '../../../shared/settings.ts';

it.each(settingNames)('%s has a default that its schema takes, or says what happens without a value', (name) => {
  const { default: value, unset, schema } = settingOf(name);
  if (value === undefined) expect(unset).toBeTruthy();
  else expect(schema.parse(value)).toEqual(value);
});

it('fills in the defaults around what is stored', () => {
  expect(settingsViewSchema.parse(settingsInEffect({}))).toMatchObject({ theme: 'system', programsPaused: false });
  const stored = settingsSchema.parse({ theme: 'dark', sidebar: { pinned: ['one'] } });
  expect(settingsViewSchema.parse(settingsInEffect(stored))).toMatchObject({ theme: 'dark', language: 'system' });
});
