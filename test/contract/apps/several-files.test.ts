import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeAppHome } from '../../support/app-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Cursor has an entry of Postern in the user's own file, and one in a project folder. */
async function start() {
  const home = makeAppHome();
  mkdirSync(home.at('.cursor'));
  const project = ['--project', temporaryFolder()];
  const run = async (...words: string[]) => {
    const { code, stderr, last } = await home.run(...words, '--yes', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return (last['changes'] as readonly { id: string }[])[0]?.id ?? '';
  };
  const own = await run('use', 'Notes', 'cursor');
  const projects = await run('use', 'Notes', 'cursor', ...project);
  const settings = path.join(home.profile, 'config.json');
  /** IDs of the servers that Cursor may use. */
  const rights = (): readonly string[] => {
    const stored = JSON.parse(readFileSync(settings, 'utf8')) as { apps?: { integrations: string[] }[] };
    return stored.apps?.flatMap(({ integrations }) => integrations) ?? [];
  };
  return { home, run, rights, project, own, projects };
}

it('an app keeps its access while an entry in another of its files needs it', async () => {
  const { home, run, rights, project } = await start();
  await run('unuse', 'Notes', 'cursor', ...project);
  expect(rights()).toEqual(['id-of-notes']);
  await run('use', 'Notes', 'cursor', ...project);
  await run('unuse', 'Notes', 'cursor');
  expect(rights()).toEqual(['id-of-notes']);
  await run('unuse', 'Notes', 'cursor', ...project);
  expect(rights()).toEqual([]);
  await run('use', 'Notes', 'cursor', ...project);
  // An unreadable entry does not count.
  home.put('.cursor/mcp.json', 'no JSON');
  await run('unuse', 'Notes', 'cursor', ...project);
  expect(rights()).toEqual([]);
});

it('an app keeps its access when one of the two changes is undone, and loses it with the other', async () => {
  const { run, rights, own, projects } = await start();
  await run('undo', projects);
  expect(rights()).toEqual(['id-of-notes']);
  await run('undo', own);
  expect(rights()).toEqual([]);
});

it('creates no project folder, and leaves no new folder in a project', async () => {
  const { home, run } = await start();
  const nowhere = path.join(temporaryFolder(), 'nowhere');
  for (const command of ['use', 'unuse'])
    expect(await home.run(command, 'Notes', 'cursor', '--project', nowhere, '--yes')).toMatchObject({ code: 2 });
  expect(readdirSync(path.dirname(nowhere))).toEqual([]);
  expect((await home.run('use', 'Notes', 'windsurf', '--project', home.home, '--yes')).code).toBe(2);
  const project = temporaryFolder();
  const made = await run('use', 'Notes', 'cursor', '--project', project);
  await run('undo', made);
  expect(readdirSync(project)).toEqual([]);
  await run('use', 'Notes', 'cursor', '--project', project);
  await run('unuse', 'Notes', 'cursor', '--project', project);
  expect(readdirSync(project)).toEqual([]);
  // Existing files and those of others stay.
  mkdirSync(path.join(project, '.cursor', 'rules'), { recursive: true });
  await run('use', 'Notes', 'cursor', '--project', project);
  await run('unuse', 'Notes', 'cursor', '--project', project);
  expect(readdirSync(path.join(project, '.cursor'))).toEqual(['rules']);
});
