import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { settingsViewSchema } from '../../../shared/app-view.ts';
import { settingNames, settingOf, settingsInEffect, settingsSchema } from '../../../shared/settings.ts';

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

it('has each setting on both sides: what the command line takes from the table, a page of the window shows', () => {
  const folder = path.join(import.meta.dirname, '../../../renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const pages = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const missing = settingNames.filter((name) => !new RegExp(String.raw`\b${name}\b`, 'u').test(pages));
  // There it is a switch of each app, which its record has.
  expect(missing).toEqual(['pausedPrograms']);
});
