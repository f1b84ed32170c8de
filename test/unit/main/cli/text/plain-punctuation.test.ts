import { describe, expect, it } from 'vitest';
import { describeCommand, describeProgram } from '../../../../../main/cli/options/help.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { isAsciiLocale, plainPunctuation } from '../../../../../main/cli/text/printable.ts';

describe('plainPunctuation', () => {
  it('leaves nothing but ASCII of every help', () => {
    const help = [
      describeProgram(commandTable),
      ...commandTable.names.map((name) => describeCommand(commandTable, name)),
    ].join('\n');
    expect(plainPunctuation(help)).toMatch(/^[\n\x20-\x7e]*$/u);
  });

  it('leaves letters of names alone', () => {
    expect(plainPunctuation('✓ “Müller”…')).toBe('ok "Müller"...');
  });
});

describe('isAsciiLocale', () => {
  it.each([
    [{ LANG: 'C' }, true],
    [{ LANG: 'de_DE.ISO-8859-1' }, true],
    [{ LANG: 'de_DE.UTF-8' }, false],
    [{ LANG: 'C.utf8' }, false],
    [{ LANG: 'C', LC_ALL: 'en_US.UTF-8' }, false],
    [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'POSIX' }, true],
    [{ LC_ALL: '', LANG: 'C' }, true],
    [{}, false],
  ])('goes by the first variable that is set (POSIX 8.2): %o', (env, isAscii) => {
    expect(isAsciiLocale(env)).toBe(isAscii);
  });
});
