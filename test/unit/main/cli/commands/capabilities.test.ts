import { expect, it } from 'vitest';
import { fillTyped } from '../../../../../main/cli/commands/capabilities.ts';

it.each([
  ['notes://{year}/{day}', { year: '2026', day: '3' }, 'notes://2026/3'],
  ['notes://list{?page}', {}, 'notes://list'],
  ['notes://{year}{?page}', { year: '2026' }, 'notes://2026'],
  ['notes://today', {}, 'notes://today'],
])('fills %s with %j', async (address, values, filled) => {
  expect(await fillTyped(address, values)).toBe(filled);
});

it.each([
  ['notes://{year}/{day}', {}, /“year”, “day”/u],
  ['notes://{year}/{day}', { year: '2026' }, /“day”/u],
  ['notes://{year}', { yaer: '2026' }, /“yaer”.*“year”/u],
])('sends no %s with unfilled gaps: %j', async (address, values, problem) => {
  await expect(fillTyped(address, values)).rejects.toThrow(
    expect.objectContaining({ code: 'USAGE', detail: { problem: expect.stringMatching(problem) } }),
  );
});
