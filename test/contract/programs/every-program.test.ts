import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillEntry } from '../../../main/apps/entry/our-entries.ts';
import { openList } from '../../../main/apps/list/edit-file.ts';
import { pathHere } from '../../../main/apps/table/program.ts';
import type { Program } from '../../../main/apps/table/program.ts';
import { programs } from '../../../main/apps/table/table.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { makeProgramHome, putClaude } from '../../support/program-home.ts';
import type { ProgramHome } from '../../support/program-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Each program of the table with its own spelling, by its real file and the real command line. */

/** Where it reads on Linux, below the home folder. */
function fileOf({ files }: Program, { home }: ProgramHome): string {
  const place = files.linux.at(-1)?.path ?? '';
  return path.relative(home, pathHere(place, { system: 'linux', home, variable: () => undefined }));
}

/**
 * Two entries of a person's own, in the spelling of the program: one with an address where it takes any, one by
 * mcp-remote.
 */
function ownEntries(program: Program, url: string): string {
  const list = openList(program);
  const bridge = { command: 'npx', args: ['-y', 'mcp-remote@latest', url, '3334', '--header', 'X-Tenant:ada'] };
  const address = { url, headers: { 'X-Tenant': 'ada' }, helper: '' };
  // An address whose header comes from a command is no entry that can be taken over.
  const direct = program.http && !JSON.stringify(program.http).includes('{helper}') ? program.http : program.stdio;
  const one = list.add('', ['direct', fillEntry(direct, 'direct', direct === program.stdio ? bridge : address)]).text;
  return list.add(one, ['bridge', fillEntry(program.stdio, 'bridge', bridge)]).text;
}

function run(home: ProgramHome, ...words: string[]) {
  const { folder } = putClaude(home);
  const env = { ...home.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return runInProcess([...words, '--yes', '--json'], { home: home.profile, env });
}

describe('an entry of each program', () => {
  it.each(programs)('of $name is imported, taken over and put back as it was', async (program) => {
    const { url } = await startResource(undefined);
    const home = makeProgramHome([]);
    const file = fileOf(program, home);
    const before = ownEntries(program, url);
    home.put(file, before);
    const taken = await run(home, 'import', program.id, '--take-over', '--local');
    expect(taken).toMatchObject({ code: 0, last: { imports: [{ outcome: 'imported' }, { outcome: 'known' }] } });
    const [change] = taken.last['changes'] as readonly { id: string; path: string }[];
    expect(change?.path).toBe(home.at(file));
    expect(home.text(file)).not.toContain('mcp-remote');
    const entries = openList(program).read(home.text(file) ?? '').entries ?? [];
    expect(entries.map(([name]) => name)).toEqual(
      program.command ? expect.arrayContaining(['direct', 'bridge']) : ['direct', 'bridge'],
    );
    const { last } = await runInProcess(['programs', program.id, '--json'], { home: home.profile, env: home.env });
    expect(last).toMatchObject({ programs: [{ entries: [{ kind: 'postern' }, { kind: 'postern' }] }] });
    expect((await run(home, 'undo', change?.id ?? '')).code).toBe(0);
    if (program.command) expect(JSON.parse(home.text(file) ?? '')).toEqual(JSON.parse(before));
    else expect(home.text(file)).toBe(before);
  });

  it.each(programs)('of Postern comes to those of $name and goes', async (program) => {
    const home = makeProgramHome();
    const file = fileOf(program, home);
    const before = ownEntries(program, 'https://theirs.example/mcp');
    home.put(file, before);
    expect((await run(home, 'use', 'Notes', program.id)).code).toBe(0);
    expect(
      openList(program)
        .read(home.text(file) ?? '')
        .entries?.map(([name]) => name),
    ).toEqual(['direct', 'bridge', 'notes']);
    expect((await run(home, 'unuse', 'Notes', program.id)).code).toBe(0);
    if (program.command) expect(JSON.parse(home.text(file) ?? '')).toEqual(JSON.parse(before));
    else expect(home.text(file)).toBe(before);
  });
});

/** One of each format. */
const formats = (['json', 'jsonc', 'toml', 'yaml-map', 'yaml-list'] as const).map((format) => {
  const program = programs.find((each) => each.format === format && !each.command);
  if (!program) throw new Error(`nobody writes ${format}`);
  return { format, program };
});

describe.each(formats)('a file in $format', ({ format, program }) => {
  const damaged = {
    json: '{"a": 1,',
    jsonc: '{"a": /* 1,',
    toml: 'a = [1,\n',
    'yaml-map': 'a: [1\n',
    'yaml-list': 'a: "1\n',
  }[format];
  const comment = format === 'json' ? ' ' : format === 'jsonc' ? '// x\n' : '# x\n';

  it.each([
    ['that is damaged', (place: string) => writeFileSync(place, damaged), 'PROGRAM_FILE_DAMAGED'],
    [
      'that is no text',
      (place: string) => writeFileSync(place, Buffer.from([0xff, 0xfe, 0x00, 0x80])),
      'PROGRAM_FILE_DAMAGED',
    ],
    [
      'of more than 4 MiB',
      (place: string) => writeFileSync(place, comment.repeat(4 * 2 ** 20 + 1)),
      'PROGRAM_FILE_DENIED',
    ],
    [
      'that leads out of home',
      (place: string) => symlinkSync(path.join(temporaryFolder(), 'x'), place),
      'PROGRAM_FILE_DENIED',
    ],
  ] as const)('%s is left alone, with lines to paste (GW-41, GW-42)', async (_name, put, code) => {
    const home = makeProgramHome();
    const file = home.at(fileOf(program, home));
    mkdirSync(path.dirname(file), { recursive: true });
    put(file);
    const said = await run(home, 'use', 'Notes', program.id);
    expect(said).toMatchObject({ code: 1, last: { error: { code, paste: { path: file } } } });
    const { paste } = said.last['error'] as { paste: { lines: string } };
    expect(
      openList(program)
        .read(paste.lines)
        .entries?.map(([name]) => name),
    ).toEqual(['notes']);
  });
});
