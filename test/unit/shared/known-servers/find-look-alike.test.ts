import { expect, it } from 'vitest';
import { findLookAlike } from '../../../../shared/known-servers/find-near-servers.ts';

it.each([
  ['Notion', 'Notion'],
  ['NOTION (official)', 'Notion'],
  ['N0t1on MCP', 'Notion'],
  ['Nötion', 'Notion'],
  ['No-tion', 'Notion'],
  ['notion2', 'Notion'],
  ['AirtabIe', 'Airtable'],
  ['Li near', 'Linear'],
  ['Ｇitlab', 'GitLab'],
])('hears the name of a service in %s (MR-11)', (text, name) => {
  expect(findLookAlike(text)?.name).toBe(name);
});

it.each(['', 'Weather', 'boxes', 'A tool for everything', '笔记', '…'])('hears none in “%s”', (text) => {
  expect(findLookAlike(text)).toBeUndefined();
});
