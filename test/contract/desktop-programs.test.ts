import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { anIntegration } from '../support/an-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testPrograms } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';

const notes = anIntegration({ id: 'id-of-notes', name: 'Notes', alias: 'notes', url: 'https://notes.example/mcp' });
const old = '{\n  "mcpServers": {\n    "other": { "command": "/bin/other", "env": { "KEY": "a-secret" } }\n  }\n}\n';

async function openDesktop(options: Pick<TestDesktopOptions, 'answer'> = {}) {
  const home = temporaryFolder();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, old);
  const desktop = await createTestDesktop({ ...options, programs: (engine) => testPrograms(engine, home) });
  await desktop.engine.ports.store.write(notes);
  desktop.composed.startWork();
  return { desktop, file, text: () => readFileSync(file, 'utf8') };
}

const cursor = async ({ call }: TestDesktop) => {
  const { programs } = await call('app:snapshots', {});
  return programs.find(({ id }) => id === 'cursor');
};
const preview = { program: 'cursor', integration: notes.id, use: true };

describe('a program in the window', () => {
  it('is found without a look into its file; those that are not here are not named', async () => {
    const { desktop, file } = await openDesktop();
    writeFileSync(file, 'not read');
    const { programs } = await desktop.call('app:snapshots', {});
    expect(programs).toMatchObject([{ id: 'cursor', path: file, uses: [], isRevoked: false }]);
  });

  it('is changed as it was shown, and taken back byte for byte', async () => {
    const { desktop, text } = await openDesktop();
    const shown = await desktop.call('program:preview', preview);
    expect(shown).toMatchObject({ action: 'updated', before: [] });
    expect(text()).toBe(old);
    await desktop.call('program:change', { id: shown.id });
    const made = text();
    for (const line of shown.after) expect(made).toContain(line.trim());
    expect(JSON.parse(made)).toMatchObject({ mcpServers: { other: {}, notes: { command: '/usr/bin/postern-pipe' } } });
    const used = await cursor(desktop);
    expect(used).toMatchObject({ uses: [notes.id], lastChange: { names: ['notes'] } });
    const undo = await desktop.call('program:previewUndo', { change: used?.lastChange?.id ?? '' });
    expect(undo).toMatchObject({ after: [] });
    await desktop.call('program:change', { id: undo.id });
    expect(text()).toBe(old);
    expect(await cursor(desktop)).toMatchObject({ uses: [] });
  });

  it('publishes what a change made of it, and none of the secrets of its file', async () => {
    const { desktop } = await openDesktop();
    const shown = await desktop.call('program:preview', preview);
    await desktop.call('program:change', { id: shown.id });
    await desktop.seen(({ programs }) => programs?.some(({ uses }) => uses.includes(notes.id)));
    expect(desktop.messages.join('\n')).not.toContain('a-secret');
  });

  it('gets back what stood there, of which the name alone is shown', async () => {
    const { desktop, text } = await openDesktop();
    const shown = await desktop.call('program:preview', preview);
    await desktop.call('program:change', { id: shown.id });
    const made = text();
    const gone = await desktop.call('program:preview', { ...preview, use: false });
    expect(gone).toMatchObject({ restores: false, after: [] });
    await desktop.call('program:change', { id: gone.id });
    expect(text()).toBe(old);
    const { lastChange } = (await cursor(desktop)) ?? {};
    const back = await desktop.call('program:previewUndo', { change: lastChange?.id ?? '' });
    expect(back).toMatchObject({ restores: true, after: ['"notes": …'], commands: [] });
    await desktop.call('program:change', { id: back.id });
    expect(text()).toBe(made);
  });

  it('is left alone where the file has changed since, or the change was made or overtaken', async () => {
    const { desktop, file, text } = await openDesktop();
    const shown = await desktop.call('program:preview', preview);
    const other = old.replace('other', 'another');
    writeFileSync(file, other);
    expect(await desktop.refuse('program:change', { id: shown.id })).toMatchObject({ code: 'PROGRAM_FILE_CHANGED' });
    expect(text()).toBe(other);
    expect(await cursor(desktop)).toMatchObject({ uses: [] });
    const first = await desktop.call('program:preview', preview);
    const second = await desktop.call('program:preview', preview);
    expect(await desktop.refuse('program:change', { id: first.id })).toMatchObject({ code: 'PROGRAM_FILE_CHANGED' });
    await desktop.call('program:change', { id: second.id });
    const made = text();
    expect(await desktop.refuse('program:change', { id: second.id })).toMatchObject({ code: 'PROGRAM_FILE_CHANGED' });
    expect(text()).toBe(made);
  });

  it('is told apart from programs that nobody knows, and servers that are not there', async () => {
    const { desktop } = await openDesktop();
    expect(await desktop.refuse('program:preview', { ...preview, program: 'nobody' })).toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
    expect(await desktop.refuse('program:preview', { ...preview, integration: 'none' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await desktop.refuse('program:previewUndo', { change: '0123456789ab' })).toMatchObject({
      code: 'UNDO_STALE',
    });
  });

  it.each([
    { answer: true, uses: [] },
    { answer: false, uses: [notes.id] },
  ])('is revoked by the answer of the person to main alone ($answer)', async ({ answer, uses }) => {
    const { desktop } = await openDesktop({ answer: async () => answer });
    const shown = await desktop.call('program:preview', preview);
    await desktop.call('program:change', { id: shown.id });
    await desktop.call('program:revoke', { program: 'cursor' });
    expect(desktop.asked).toHaveLength(1);
    expect(await cursor(desktop)).toMatchObject({ uses, isRevoked: answer });
  });
});
