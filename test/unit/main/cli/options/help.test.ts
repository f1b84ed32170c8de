import { describe, expect, it } from 'vitest';
import { commandNames, commandSpecs } from '../../../../../main/cli/table/command-table.ts';
import { describeCommand, describeProgram, describeUsage } from '../../../../../main/cli/options/help.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';

describe('describeProgram', () => {
  it('names every command but those for machines, where to start and the exit codes', () => {
    const help = describeProgram();
    const named = commandNames.filter((name) => new RegExp(`^ {2}${name}\\b`, 'mu').test(help));
    expect(commandNames.filter((name) => !named.includes(name))).toEqual(['headers', 'proxy']);
    expect(help).toContain('postern connect https://');
    for (const exit of [0, 1, 2, 3, 130]) expect(help).toMatch(new RegExp(`\\b${exit} [a-z]`, 'u'));
  });
});

describe.each(commandNames)('describeCommand(%s)', (name) => {
  it('explains each option in a terminal of 120 columns', () => {
    const help = describeCommand(name);
    for (const option of commandSpecs[name].options) expect(help).toContain(`--${option}`);
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(help).toContain(describeUsage(name));
  });

  it('has examples that it understands', () => {
    for (const example of commandSpecs[name].examples) {
      const [, command = ''] = /(postern [^)]*)/u.exec(example) ?? [];
      const words = command.replace(/ [<>] .*$/u, '').match(/'[^']*'|\S+/gu) ?? [];
      expect(parseArguments(words.slice(1).map((word) => word.replaceAll("'", ''))).command).toBe(name);
    }
  });
});
