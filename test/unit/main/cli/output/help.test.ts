import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { describeCommand, describeProgram, describeUsage } from '../../../../../main/cli/output/help.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';

const { names, specs } = commandTable;

describe('describeProgram', () => {
  it('names every command but those for machines, where to start and the exit codes', () => {
    const help = describeProgram(commandTable);
    const named = names.filter((name) => new RegExp(`^ {2}${name}\\b`, 'mu').test(help));
    expect(names.filter((name) => !named.includes(name))).toEqual(['headers', 'proxy']);
    expect(help).toContain('postern connect https://');
    for (const exit of [0, 1, 2, 3, 130]) expect(help).toMatch(new RegExp(`\\b${exit} [a-z]`, 'u'));
  });
});

describe.each(names)('describeCommand(%s)', (name) => {
  it('explains each option in a terminal of 120 columns', () => {
    const help = describeCommand(commandTable, name);
    for (const option of specs[name].options) expect(help).toContain(`--${option}`);
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(help).toContain(describeUsage(commandTable, name));
  });

  it('has examples that it understands', () => {
    for (const example of specs[name].examples) {
      const [, command = ''] = /(postern [^)]*)/u.exec(example) ?? [];
      const words = command.replace(/ [<>] .*$/u, '').match(/'[^']*'|\S+/gu) ?? [];
      expect(
        parseArguments(
          commandTable,
          words.slice(1).map((word) => word.replaceAll("'", '')),
        ).command,
      ).toBe(name);
    }
  });
});
