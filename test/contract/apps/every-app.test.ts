import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillEntry } from '../../../main/apps/entry/our-entries.ts';
import { openList } from '../../../main/apps/list/edit-file.ts';
import { expandPath } from '../../../main/apps/table/app.ts';
import type { App } from '../../../main/apps/table/app.ts';
import { apps } from '../../../main/apps/table/apps.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { makeAppHome, putClaude } from '../../support/app-home.ts';
import type { AppHome } from '../../support/app-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Each app in the table with its own syntax, by its real file and the real command line. */

/** Where it reads on Linux, below the home folder. */
function fileOf({ files }: App, { home }: AppHome): string {
  const place = files.linux.at(-1)?.path ?? '';
  return path.relative(home, expandPath(place, { system: 'linux', home, variable: () => undefined }));
}

/**
 * Two entries of the user's own, in the app's syntax: one with an address where the app accepts any, one by mcp-remote.
 */
function ownEntries(app: App, url: string): string {
  const list = openList(app);
  const bridge = { command: 'npx', args: ['-y', 'mcp-remote@latest', url, '3334', '--header', 'X-Tenant:ada'] };
  const address = { url, headers: { 'X-Tenant': 'ada' }, helper: '' };
  // An address whose header comes from a command cannot be imported.
  const direct = app.http && !JSON.stringify(app.http).includes('{helper}') ? app.http : app.stdio;
  const one = list.add('', ['direct', fillEntry(direct, 'direct', direct === app.stdio ? bridge : address)]).text;
  return list.add(one, ['bridge', fillEntry(app.stdio, 'bridge', bridge)]).text;
}

function run(home: AppHome, ...words: string[]) {
  const { folder } = putClaude(home);
  const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return runInProcess([...words, '--yes', '--json'], { home: home.profile, env });
}

describe('an entry of each app', () => {
  it.each(apps)('of $name is imported, replaced and restored', async (app) => {
    const { url } = await startResource(undefined);
    const home = makeAppHome([]);
    const file = fileOf(app, home);
    const before = ownEntries(app, url);
    home.put(file, before);
    const result = await run(home, 'import', app.id, '--take-over', '--local');
    expect(result).toMatchObject({ code: 0, last: { imports: [{ outcome: 'imported' }, { outcome: 'known' }] } });
    const [change] = result.last['changes'] as readonly { id: string; path: string }[];
    expect(change?.path).toBe(home.at(file));
    expect(home.text(file)).not.toContain('mcp-remote');
    const entries = openList(app).read(home.text(file) ?? '').entries ?? [];
    expect(entries.map(([name]) => name)).toEqual(
      app.command ? expect.arrayContaining(['direct', 'bridge']) : ['direct', 'bridge'],
    );
    const { last } = await runInProcess(['apps', app.id, '--json'], { home: home.profile, env: home.env });
    expect(last).toMatchObject({ apps: [{ entries: [{ kind: 'postern' }, { kind: 'postern' }] }] });
    expect((await run(home, 'undo', change?.id ?? '')).code).toBe(0);
    if (app.command) expect(JSON.parse(home.text(file) ?? '')).toEqual(JSON.parse(before));
    else expect(home.text(file)).toBe(before);
  });

  it.each(apps)('of Postern is added to those of $name and removed', async (app) => {
    const home = makeAppHome();
    const file = fileOf(app, home);
    const before = ownEntries(app, 'https://theirs.example/mcp');
    home.put(file, before);
    expect((await run(home, 'use', 'Notes', app.id)).code).toBe(0);
    expect(
      openList(app)
        .read(home.text(file) ?? '')
        .entries?.map(([name]) => name),
    ).toEqual(['direct', 'bridge', 'notes']);
    expect((await run(home, 'unuse', 'Notes', app.id)).code).toBe(0);
    if (app.command) expect(JSON.parse(home.text(file) ?? '')).toEqual(JSON.parse(before));
    else expect(home.text(file)).toBe(before);
  });
});

/** One of each format. */
const formats = (['json', 'jsonc', 'toml', 'yaml-map', 'yaml-list'] as const).map((format) => {
  const app = apps.find((each) => each.format === format && !each.command);
  if (!app) throw new Error(`nobody writes ${format}`);
  return { format, app };
});

describe.each(formats)('a file in $format', ({ format, app }) => {
  const damaged = {
    json: '{"a": 1,',
    jsonc: '{"a": /* 1,',
    toml: 'a = [1,\n',
    'yaml-map': 'a: [1\n',
    'yaml-list': 'a: "1\n',
  }[format];
  const comment = format === 'json' ? ' ' : format === 'jsonc' ? '// x\n' : '# x\n';

  it.each([
    ['that is damaged', (place: string) => writeFileSync(place, damaged), 'APP_FILE_DAMAGED'],
    [
      'that is no text',
      (place: string) => writeFileSync(place, Buffer.from([0xff, 0xfe, 0x00, 0x80])),
      'APP_FILE_DAMAGED',
    ],
    ['of more than 4 MiB', (place: string) => writeFileSync(place, comment.repeat(4 * 2 ** 20 + 1)), 'APP_FILE_DENIED'],
    [
      'that leads out of home',
      (place: string) => symlinkSync(path.join(temporaryFolder(), 'x'), place),
      'APP_FILE_DENIED',
    ],
  ] as const)('%s is left unchanged, with lines to paste (GW-41, GW-42)', async (_name, put, code) => {
    const home = makeAppHome();
    const file = home.at(fileOf(app, home));
    mkdirSync(path.dirname(file), { recursive: true });
    put(file);
    const shownText = await run(home, 'use', 'Notes', app.id);
    expect(shownText).toMatchObject({ code: 1, last: { error: { code, paste: { path: file } } } });
    const { paste } = shownText.last['error'] as { paste: { lines: string } };
    expect(
      openList(app)
        .read(paste.lines)
        .entries?.map(([name]) => name),
    ).toEqual(['notes']);
  });
});
