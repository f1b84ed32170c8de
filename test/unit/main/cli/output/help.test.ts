import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { describeCommandHelp, describeAllCommands, describeUsage } from '../../../../../main/cli/output/help.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';

const { names, specs } = commandTable;

describe('describeApp', () => {
  it('lists every command except internal ones, a first step and the exit codes', () => {
    const help = describeAllCommands(commandTable);
    const named = names.filter((name) => new RegExp(`^ {2}${name}\\b`, 'mu').test(help));
    expect(names.filter((name) => !named.includes(name))).toEqual(['headers', 'proxy']);
    expect(help).toContain('postern connect https://');
    for (const exit of [0, 1, 2, 3, 130]) expect(help).toMatch(new RegExp(`\\b${exit} [a-z]`, 'u'));
  });
});

describe.each(names)('describeCommand(%s)', (name) => {
  it('explains each option within 120 columns', () => {
    const help = describeCommandHelp(commandTable, name);
    for (const option of specs[name].options) expect(help).toContain(`--${option}`);
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(help).toContain(describeUsage(commandTable, name));
  });

  it('has examples that parse', () => {
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
