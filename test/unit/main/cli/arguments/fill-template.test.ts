import { expect, it } from 'vitest';
import { fillTemplate } from '../../../../../main/cli/commands/read.ts';

it.each([
  ['notes://{year}/{day}', { year: '2026', day: '3' }, 'notes://2026/3'],
  ['notes://list{?page}', {}, 'notes://list'],
  ['notes://{year}{?page}', { year: '2026' }, 'notes://2026'],
  ['notes://today', {}, 'notes://today'],
])('fills %s with %j', (address, values, filled) => {
  expect(fillTemplate(address, values)).toBe(filled);
});

it.each([
  ['notes://{year}/{day}', {}, /“year”, “day”/u],
  ['notes://{year}/{day}', { year: '2026' }, /“day”/u],
  ['notes://{year}', { yaer: '2026' }, /“yaer”.*“year”/u],
])('sends no %s with unfilled gaps: %j', (address, values, problem) => {
  expect(() => fillTemplate(address, values)).toThrow(
    expect.objectContaining({ code: 'USAGE', detail: { problem: expect.stringMatching(problem) } }),
  );
});
