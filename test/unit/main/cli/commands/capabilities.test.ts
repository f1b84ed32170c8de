import { expect, it } from 'vitest';
import { toTemplateError } from '../../../../../main/cli/commands/capabilities.ts';
import { fillTemplate, UnfitValues } from '../../../../../main/operations/use.ts';

const nothingListed = async () => false;

it.each([
  ['notes://{year}/{day}', { year: '2026', day: '3' }, 'notes://2026/3'],
  ['notes://list{?page}', {}, 'notes://list'],
  ['notes://{year}{?page}', { year: '2026' }, 'notes://2026'],
  ['notes://today', {}, 'notes://today'],
])('fills %s with %j', async (address, values, filled) => {
  expect(await fillTemplate(address, values, nothingListed)).toBe(filled);
});

it.each([
  ['notes://{year}/{day}', {}, /“year”, “day”/u],
  ['notes://{year}/{day}', { year: '2026' }, /“day”/u],
  ['notes://{year}', { yaer: '2026' }, /“yaer”.*“year”/u],
])('refuses %s with unfilled variables: %j', async (address, values, problem) => {
  const refused: unknown = await fillTemplate(address, values, nothingListed).catch((error: unknown) => error);
  if (!(refused instanceof UnfitValues)) throw refused;
  expect(toTemplateError(refused)).toMatchObject({
    code: 'USAGE',
    detail: { problem: expect.stringMatching(problem) },
  });
});

it.each([
  ['notes://{year}', {}, 'notes://{year}'],
  ['notes://list{?page}', {}, 'notes://list{?page}'],
  ['notes://{year}', { year: '2026' }, 'notes://2026'],
])('reads %s with %j literally if it is listed and no value fills it', async (address, values, read) => {
  expect(await fillTemplate(address, values, async () => true)).toBe(read);
});
