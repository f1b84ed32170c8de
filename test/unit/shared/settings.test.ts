import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { settingsViewSchema } from '../../../shared/desktop-view.ts';
import { settingNames, settingOf, settingsInEffect, settingsSchema } from '../../../shared/settings.ts';

it.each(settingNames)('%s has a default that its schema accepts, or describes what happens without a value', (name) => {
  const { default: value, unset, schema } = settingOf(name);
  if (value === undefined) expect(unset).toBeTruthy();
  else expect(schema().parse(value)).toEqual(value);
});

it('fills in defaults for what is not stored', () => {
  expect(settingsViewSchema.parse(settingsInEffect({}))).toMatchObject({ theme: 'system', appsPaused: false });
  const stored = settingsSchema().parse({ theme: 'dark', sidebar: { pinned: ['one'] } });
  expect(settingsViewSchema.parse(settingsInEffect(stored))).toMatchObject({ theme: 'dark', language: 'system' });
});

it('has each setting both on the command line and in the window', () => {
  const folder = path.join(import.meta.dirname, '../../../renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const pages = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const missing = settingNames.filter((name) => !new RegExp(String.raw`\b${name}\b`, 'u').test(pages));
  // In the window it is a switch per app, stored in the app's record.
  expect(missing).toEqual(['pausedApps']);
});
