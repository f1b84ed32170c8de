import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { ProgramRecord } from '../../shared/program-record.ts';
import { pem } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testPrograms } from '../support/test-desktop.ts';

/** What the window shows and changes of Postern without its window. */

const record = { id: '0123456789abcdef', program: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1 };

async function open(available = true) {
  let isOn = false;
  let changeRecords: (records: readonly ProgramRecord[]) => Promise<unknown> = async () => undefined;
  const { call } = await createTestDesktop({
    startAtLogin: { available, isOn: () => isOn, set: (on) => void (isOn = on) },
    programs: (engine) => {
      const programs = testPrograms(engine);
      changeRecords = (records) => programs.records.change(() => records);
      return programs;
    },
  });
  return {
    call,
    view: async () => (await call('app:snapshots', {})).app,
    isOn: () => isOn,
    use: (...records: readonly ProgramRecord[]) => changeRecords(records),
  };
}

it('keeps running as soon as a program uses a server, unless the person says otherwise', async () => {
  const { call, view, use } = await open();
  expect((await view()).settings.keepRunning).toBe(false);
  await use(record);
  expect((await view()).settings.keepRunning).toBe(true);
  await call('settings:update', { keepRunning: false });
  expect((await view()).settings.keepRunning).toBe(false);
  await call('settings:update', { keepRunning: true });
  await use();
  expect((await view()).settings.keepRunning).toBe(true);
});

it.each([
  ['yes', true],
  ['no', false],
])('offers the start at login with the first program, and asks no more after a %s', async (_, answer) => {
  const { call, view, use, isOn } = await open();
  expect((await view()).offersStartAtLogin).toBe(false);
  await use(record);
  expect((await view()).offersStartAtLogin).toBe(true);
  await call('settings:update', { startAtLogin: answer });
  expect(isOn()).toBe(answer);
  expect(await view()).toMatchObject({ offersStartAtLogin: false, settings: { startAtLogin: answer } });
  await call('settings:update', { startAtLogin: false });
  expect((await view()).offersStartAtLogin).toBe(false);
});

it('offers no start at login where there is none', async () => {
  const { call, view, use, isOn } = await open(false);
  await use(record);
  await call('settings:update', { startAtLogin: true });
  expect(isOn()).toBe(false);
  expect(await view()).toMatchObject({ offersStartAtLogin: false, canStartAtLogin: false });
});

it('pauses all programs, and resumes them', async () => {
  const { call, view } = await open();
  expect((await view()).settings.programsPaused).toBe(false);
  await call('settings:update', { programsPaused: true });
  expect((await view()).settings.programsPaused).toBe(true);
  await call('settings:update', { programsPaused: false });
  expect((await view()).settings.programsPaused).toBe(false);
});

it('takes the file of certificates that the user picks, and no other', async () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const picked = [
    file('key.pem', pem('server-key')),
    path.join(folder, 'none'),
    undefined,
    file('ca.pem', pem('authority')),
  ];
  const { call, refuse } = await createTestDesktop({ file: () => picked.shift() });
  const chosen = async () => (await call('app:snapshots', {})).app.settings.certificateFile;
  for (const fault of ['empty', 'missing'])
    expect(await refuse('settings:chooseCertificateFile', {})).toMatchObject({
      code: 'CERTIFICATE_FILE_INVALID',
      detail: { fault },
    });
  expect(await call('settings:chooseCertificateFile', {})).toEqual({ chosen: false });
  expect(await chosen()).toBeUndefined();
  expect(await call('settings:chooseCertificateFile', {})).toEqual({ chosen: true });
  expect(await chosen()).toBe(path.join(folder, 'ca.pem'));
  await call('settings:update', { certificateFile: null });
  expect(await chosen()).toBeUndefined();
  // No page names a file.
  expect(await refuse('settings:update', { certificateFile: path.join(folder, 'ca.pem') })).toMatchObject({
    code: 'IPC_SCHEMA',
  });
});
