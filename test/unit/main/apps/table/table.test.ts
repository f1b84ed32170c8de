import { describe, expect, it } from 'vitest';
import { programSchema } from '../../../../../main/apps/table/program.ts';
import { findProgram, programs } from '../../../../../main/apps/table/table.ts';

/** Those of section 7.1 of the requirements: 18, one in two editions. */
const asked = [
  ...['claude-code', 'claude-desktop', 'cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'codex'],
  ...['gemini-cli', 'goose', 'lm-studio', 'cline', 'continue', 'jetbrains', 'junie', 'copilot-jetbrains'],
  ...['copilot-cli', 'opencode', 'qwen-code'],
];

describe('programs', () => {
  it.each(programs)('has all that is needed to add an entry to $name', (program) => {
    expect(programSchema.parse(program)).toEqual(program);
    for (const files of Object.values(program.files)) expect(files.length).toBeGreaterThan(0);
    expect(JSON.stringify(program.stdio)).toMatch(/\{command\}.*\{args\}|\{words\}/);
    if (program.http) expect(JSON.stringify(program.http)).toMatch(/\{url\}.*\{(?:headers|helper)\}/);
    if (program.format.startsWith('yaml-list')) expect(program.stdio['name']).toBe('{name}');
  });

  it.each(asked)('has %s, and what that is known from', (id) => {
    expect(findProgram(id)).toMatchObject({ id, provenBy: expect.stringMatching(/\w{3}/) });
  });

  it('has each id and each place once', () => {
    expect(new Set(programs.map(({ id }) => id)).size).toBe(programs.length);
    const places = programs.flatMap(({ files }) => files.linux.map(({ path }) => path));
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('findProgram', () => {
  it.each([
    ['cursor', 'cursor'],
    ['VS Code', 'vscode'],
    ['gemini', 'gemini-cli'],
    ['LMStudio', 'lm-studio'],
    ['claude-code', 'claude-code'],
  ])('knows %s', (word, id) => {
    expect(findProgram(word)?.id).toBe(id);
  });

  it.each(['claude', 'copilot', '', 'notepad', '-'])('does not guess at %j', (word) => {
    expect(findProgram(word)).toBeUndefined();
  });
});
