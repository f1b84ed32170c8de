import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { AppRecord } from '../../shared/app-record.ts';
import { pem } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop, testApps } from '../support/test-desktop.ts';

/** What the window shows and changes while Postern runs without its window. */

const record = { id: '0123456789abcdef', app: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1 };

async function open(available = true) {
  let isOn = false;
  let changeRecords: (records: readonly AppRecord[]) => Promise<unknown> = async () => undefined;
  const { call } = await createTestDesktop({
    startAtLogin: { available, isOn: () => isOn, set: (on) => void (isOn = on) },
    apps: (engine) => {
      const apps = testApps(engine);
      changeRecords = (records) => apps.records.change(() => records);
      return apps;
    },
  });
  return {
    call,
    view: async () => (await call('desktop:snapshots', {})).desktop,
    isOn: () => isOn,
    use: (...records: readonly AppRecord[]) => changeRecords(records),
  };
}

it('keeps running as soon as an app uses a server, unless the user chooses otherwise', async () => {
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
])('suggests starting at login with the first app, and does not ask again after a %s', async (_, answer) => {
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

it('does not suggest starting at login if the system cannot', async () => {
  const { call, view, use, isOn } = await open(false);
  await use(record);
  await call('settings:update', { startAtLogin: true });
  expect(isOn()).toBe(false);
  expect(await view()).toMatchObject({ offersStartAtLogin: false, canStartAtLogin: false });
});

it('pauses all apps, and resumes them', async () => {
  const { call, view } = await open();
  expect((await view()).settings.appsPaused).toBe(false);
  await call('settings:update', { appsPaused: true });
  expect((await view()).settings.appsPaused).toBe(true);
  await call('settings:update', { appsPaused: false });
  expect((await view()).settings.appsPaused).toBe(false);
});

it('uses the certificate file that the user picks, and no other', async () => {
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
  const { call, callFailing } = await createTestDesktop({ file: () => picked.shift() });
  const chosen = async () => (await call('desktop:snapshots', {})).desktop.settings.certificateFile;
  for (const fault of ['empty', 'missing'])
    expect(await callFailing('settings:chooseCertificateFile', {})).toMatchObject({
      code: 'CERTIFICATE_FILE_INVALID',
      detail: { fault },
    });
  expect(await call('settings:chooseCertificateFile', {})).toEqual({ chosen: false });
  expect(await chosen()).toBeUndefined();
  expect(await call('settings:chooseCertificateFile', {})).toEqual({ chosen: true });
  expect(await chosen()).toBe(path.join(folder, 'ca.pem'));
  await call('settings:update', { certificateFile: null });
  expect(await chosen()).toBeUndefined();
  // No page can name a file.
  expect(await callFailing('settings:update', { certificateFile: path.join(folder, 'ca.pem') })).toMatchObject({
    code: 'IPC_SCHEMA',
  });
});
