import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandTable } from '../../../main/cli/table/command-table.ts';
import { manPage } from '../../../scripts/man-page.ts';

const shown = (): string => {
  const { stdout } = spawnSync('groff', ['-man', '-Tascii', '-P-cbou', '-rLL=400n'], {
    input: manPage(),
    encoding: 'utf8',
  });
  return stdout.replaceAll(/\s+/gu, ' ');
};

it.skipIf(spawnSync('groff', ['--version']).status !== 0)('man shows the page without warnings', () => {
  const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-z'], { input: manPage(), encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const page = shown();
  for (const name of commandTable.names) {
    expect(page).toContain(`${commandTable.specs[name].summary.replaceAll('’', "'")}.`);
    for (const option of commandTable.specs[name].options) expect(page).toContain(`--${option}`);
    for (const example of commandTable.specs[name].examples) expect(page).toContain(example);
  }
});
