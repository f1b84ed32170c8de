import { describe, expect, it } from 'vitest';
import { appSchema } from '../../../../../main/apps/table/app.ts';
import { findApp, apps } from '../../../../../main/apps/table/apps.ts';

/** The apps in section 7.1 of the requirements: 18, one of them in two editions. */
const required = [
  ...['claude-code', 'claude-desktop', 'cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'codex'],
  ...['gemini-cli', 'goose', 'lm-studio', 'cline', 'continue', 'jetbrains', 'junie', 'copilot-jetbrains'],
  ...['copilot-cli', 'opencode', 'qwen-code'],
];

describe('apps', () => {
  it.each(apps)('has everything needed to add an entry to $name', (app) => {
    expect(appSchema.parse(app)).toEqual(app);
    for (const files of Object.values(app.files)) expect(files.length).toBeGreaterThan(0);
    expect(JSON.stringify(app.stdio)).toMatch(/\{command\}.*\{args\}|\{words\}/);
    if (app.http) expect(JSON.stringify(app.http)).toMatch(/\{url\}.*\{(?:headers|helper)\}/);
    if (app.format.startsWith('yaml-list')) expect(app.stdio['name']).toBe('{name}');
  });

  it.each(required)('has %s, with a source for its format', (id) => {
    expect(findApp(id)).toMatchObject({ id, evidence: expect.stringMatching(/\w{3}/) });
  });

  it('has unique IDs and file paths', () => {
    expect(new Set(apps.map(({ id }) => id)).size).toBe(apps.length);
    const places = apps.flatMap(({ files }) => files.linux.map(({ path }) => path));
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('findApp', () => {
  it.each([
    ['cursor', 'cursor'],
    ['VS Code', 'vscode'],
    ['gemini', 'gemini-cli'],
    ['LMStudio', 'lm-studio'],
    ['claude-code', 'claude-code'],
  ])('finds %s', (word, id) => {
    expect(findApp(word)?.id).toBe(id);
  });

  it.each(['claude', 'copilot', '', 'notepad', '-'])('does not guess for %j', (word) => {
    expect(findApp(word)).toBeUndefined();
  });
});
