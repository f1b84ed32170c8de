import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveCommand } from '../../main/engine/records/local-consent.ts';
import { recordEndedServers, readEndedServers } from '../../main/host/gateway/ended-servers.ts';
import { openGateway } from '../../main/host/gateway/open-gateway.ts';
import { endOrphans, findRunning, processMark } from '../../main/local/child-pid-file.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { afterTest } from '../support/after-test.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { connectCommand, nodeCommand, scriptWords } from '../support/local-server.ts';
import { sendLine } from '../support/send-line.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/** Local servers that misbehave, and attempts to start one that the user has not allowed. */

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code,
  );

/** A zombie has ended. */
const isThere = (pid: number): boolean =>
  /^[^Z]/u.test(spawnSync('/bin/ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());
const lines = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

/** Each start adds a line to the file. */
const noting = (file: string): string =>
  `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.pid + '\\n')`;

async function ask(engine: TestEngine, server: string) {
  const served = await serveGateway(engine, { allowUnknown: true });
  const app = openApp(served.socket, { server });
  await shakeHands(app);
  let id = 0;
  return { served, app, call: () => app.request((id += 1), 'tools/call', { name: 'act', arguments: {} }) };
}

describe.skipIf(process.platform === 'win32')('a command that was changed after it was allowed', () => {
  it('is not started, whatever the settings file changes (LS-01)', async () => {
    const engine = createTestEngine();
    const file = join(engine.folder, 'starts');
    const allowed = await connectCommand(engine, nodeCommand(scriptWords({}, noting(file))));
    const { command } = allowed;
    if (!command) throw new Error('it is one');
    const before = lines(file).length;
    for (const change of [
      { path: '/bin/sh' },
      { command: 'sh' },
      { arguments: [...command.arguments, '--more'] },
      { arguments: command.arguments.slice(0, -1) },
      { folder: engine.folder },
      { variables: ['NODE_OPTIONS'] },
    ])
      expect(await codeOf(engine.tools({ ...allowed, command: { ...command, ...change } }))).toBe('LOCAL_CONSENT');
    expect(lines(file)).toHaveLength(before);
    expect(await engine.tools(allowed)).toEqual(['act']);
  });

  it('is not started with the consent of another server, nor without any consent (LS-02)', async () => {
    const engine = createTestEngine();
    const file = join(engine.folder, 'starts');
    const allowed = await connectCommand(engine, nodeCommand(scriptWords({}, noting(file))));
    const before = lines(file).length;
    const written = await engine.ports.store.write({ ...allowed, id: 'another', name: 'Other', alias: 'other' });
    expect(await codeOf(engine.tools(written))).toBe('LOCAL_CONSENT');
    const { app, call } = await ask(engine, 'other');
    expect(JSON.stringify(await call())).toContain('LOCAL_CONSENT');
    expect(lines(file)).toHaveLength(before);
    // The list had claimed that it was allowed, and no longer does.
    expect((await engine.ports.store.read('another'))?.allowedCommand).toBeUndefined();
    expect((await engine.ports.store.read(allowed.id))?.allowedCommand).toBeDefined();
    app.end();
  });
});

describe.skipIf(process.platform === 'win32')('a local server', () => {
  it('gets each argument exactly as written, and no shell runs any of it (LS-03)', async () => {
    const engine = createTestEngine();
    const mark = join(engine.folder, 'mark');
    const words = [
      `$(touch ${mark})`,
      `\`touch ${mark}\``,
      `; touch ${mark}`,
      `| touch ${mark} &`,
      '"\'\\',
      'a\nb',
      '',
    ];
    const handler = `() => ({ content: [{ type: 'text', text: JSON.stringify(process.argv.slice(1)) }] })`;
    const here = await connectCommand(engine, nodeCommand([...scriptWords({ 'tools/call': handler }), ...words]));
    expect(JSON.parse(await engine.call(here, 'act'))).toEqual(words);
    expect(existsSync(mark)).toBe(false);
  });

  it('gets only the usual environment variables and its own (LS-04)', async () => {
    const env = { ...process.env, CANARY_TOKEN: 'ours', POSTERN_HOME: 'ours', 'BASH_FUNC_x%%': '() { :; }' };
    const engine = createTestEngine();
    const local = createLocalServers(engine.folder, { env });
    const world = { ...engine, ports: { ...engine.ports, local } };
    const handler = `() => ({ content: [{ type: 'text', text: JSON.stringify(process.env) }] })`;
    const command = nodeCommand(scriptWords({ 'tools/call': handler }), { variables: ['ITS_TOKEN'] });
    const values = { ITS_TOKEN: 'its own', UNNAMED: 'of another' };
    const here = await connectCommand(world, command, { values });
    const served = await serveGateway(world, { allowUnknown: true });
    const app = openApp(served.socket, { server: here.alias ?? '' });
    await shakeHands(app);
    const response = await app.request(1, 'tools/call', { name: 'act', arguments: {} });
    const { content } = response['result'] as { content: [{ text: string }] };
    const environment = JSON.parse(content[0].text) as Record<string, string>;
    expect(environment['ITS_TOKEN']).toBe('its own');
    const usual = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'];
    expect(Object.keys(environment).filter((name) => !usual.includes(name))).toEqual(['ITS_TOKEN']);
  });
});

describe.skipIf(process.platform === 'win32')('a local server that misbehaves', () => {
  it('is restarted after each crash, five times in all, and then only by the user (LS-05)', async () => {
    const engine = createTestEngine();
    const file = join(engine.folder, 'starts');
    const local = createLocalServers(engine.folder, { backOff: { first: 5, longest: 20 } });
    const world = { ...engine, ports: { ...engine.ports, local } };
    const words = scriptWords({ 'tools/call': '() => process.exit(7)' }, noting(file));
    const here = await connectCommand(world, nodeCommand(words));
    const before = lines(file).length;
    afterTest(recordEndedServers(engine.folder, local));
    const { served, call } = await ask(world, here.alias ?? '');
    const other = openApp(served.socket, { server: here.alias ?? '' });
    await shakeHands(other);
    for (let times = 1; times <= 7; times += 1) expect(JSON.stringify(await call())).toContain('LOCAL_EXITED');
    expect(lines(file)).toHaveLength(before + 6);
    // The other app's process keeps running, and no one gets another.
    expect(local.status(here.id)).toMatchObject({ state: 'failed', processes: [{}] });
    expect(await readEndedServers(engine.folder)).toEqual(new Map([[here.id, 'failing']]));
    await local.allow(here.id);
    expect(await readEndedServers(engine.folder)).toEqual(new Map());
    await call();
    expect(lines(file)).toHaveLength(before + 7);
  });

  it('is not restarted after its pause if the user has withdrawn consent meanwhile (LS-16)', async () => {
    const engine = createTestEngine();
    const file = join(engine.folder, 'starts');
    const local = createLocalServers(engine.folder, { backOff: { first: 1_000, longest: 1_000 } });
    const world = { ...engine, ports: { ...engine.ports, local } };
    const here = await connectCommand(
      world,
      nodeCommand(scriptWords({ 'tools/call': '() => process.exit(7)' }, noting(file))),
    );
    const { command } = here;
    if (!command) throw new Error('it is one');
    const { call } = await ask(world, here.alias ?? '');
    expect(JSON.stringify(await call())).toContain('LOCAL_EXITED');
    const before = lines(file).length;
    const rests = new Promise<void>((resolve) => {
      local.onChange((id) => void (local.status(id).state === 'waiting' && resolve()));
    });
    const called = call();
    await rests;
    await saveCommand(await engine.ports.vault(), here.id, command, { values: {}, isAllowed: false });
    expect(JSON.stringify(await called)).toContain('LOCAL_CONSENT');
    expect(lines(file)).toHaveLength(before);
  });

  it('is ended for endless text in place of messages, and not for a banner, which is logged (LS-07)', async () => {
    const engine = createTestEngine();
    const chatty = scriptWords(
      {},
      `process.stdout.write('hello\\n'.repeat(60) + '{"not":"a message"}\\n'.repeat(500) + '\\ufeff')`,
    );
    const here = await connectCommand(engine, nodeCommand(chatty), { name: 'Banner' });
    expect(await engine.tools(here)).toEqual(['act']);
    expect(engine.ports.local.output(here.id).text).toContain('hello\nhello\n');
    const noise = nodeCommand([
      '-e',
      `const write = () => process.stdout.write('{"not":"a message"}\\n'.repeat(20), write); write()`,
    ]);
    expect(await codeOf(connectCommand(engine, noise, { name: 'Noise' }))).toBe('LOCAL_NOISE');
  });

  it('uses no memory here by endless output (LS-08)', async () => {
    const engine = createTestEngine();
    const megabyte = `Buffer.alloc(1048576, 'x')`;
    // Many times the limit into each.
    const flood = `(m) => {
      const write = (to, left) => left === 0 ? to.write('\\n', () => to === process.stderr ? write(process.stdout, 512) : process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { content: [{ type: 'text', text: 'end' }] } }) + '\\n')) : to.write(${megabyte}, () => write(to, left - 1));
      write(process.stderr, 512);
      return null;
    }`;
    const here = await connectCommand(engine, nodeCommand(scriptWords({ 'tools/call': flood })));
    const before = process.memoryUsage.rss();
    let most = 0;
    const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    afterTest(() => clearInterval(looking));
    expect(await engine.call(here, 'act')).toBe('end');
    expect(most - before).toBeLessThan(400 * 1_048_576);
    expect(engine.ports.local.output(here.id).text.length).toBeLessThanOrEqual(1_048_576);
  });

  it('ends with all its child processes, even if it ignores the signal (LS-09)', async () => {
    const engine = createTestEngine();
    const file = join(engine.folder, 'pids');
    const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 9e6)`;
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${deaf};${noting(file)}`)}], { stdio: 'inherit' })`;
    const here = await connectCommand(engine, nodeCommand(scriptWords({}, `${deaf};${noting(file)};${child}`)));
    const { app, call } = await ask(engine, here.alias ?? '');
    await call();
    await expect.poll(() => lines(file).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    app.end();
    await engine.ports.local.stop(here.id);
    const livePids = (): readonly string[] => lines(file).filter((pid) => isThere(Number(pid)));
    await expect.poll(livePids, { timeout: 20_000 }).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a leftover process of a killed Postern', () => {
  it.each([process.platform, 'darwin'] as const)(
    'is distinguished from a later process with the same PID, on %s',
    async (system) => {
      const own = {
        pid: process.pid,
        mark: system === 'linux' ? (processMark(process.pid) ?? '') : String(Date.now()),
      };
      const later = { pid: process.pid, mark: '1' };
      const endedProcess = { pid: 999_999, mark: own.mark };
      expect(await findRunning([own, later, endedProcess], system)).toEqual([own]);
      expect(await findRunning([endedProcess], system)).toEqual([]);
    },
  );

  it('is ended by the next one, and nothing else that now has its PID (LS-06)', async () => {
    const engine = createTestEngine();
    const start = () => {
      const echo = ['-e', 'process.stdin.pipe(process.stdout)'];
      const child = spawn(process.execPath, echo, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
      afterTest(() => void child.kill('SIGKILL'));
      return child;
    };
    const [ours, other] = [start(), start()];
    await Promise.all([once(ours, 'spawn'), once(other, 'spawn')]);
    const pids = [ours.pid ?? 0, other.pid ?? 0] as const;
    const run = join(engine.folder, 'run');
    const endedProcess = { owner: { pid: 999_999, mark: '1' }, children: [] as object[] };
    endedProcess.children = [
      { pid: pids[0], mark: processMark(pids[0]) },
      { pid: pids[1], mark: '1' },
    ];
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, 'children-999999.json'), JSON.stringify(endedProcess));
    await endOrphans(engine.folder);
    await once(ours, 'exit');
    // A killed process no longer responds, and its end is seen instead.
    other.stdin.on('error', () => {});
    other.stdin.write('there');
    await Promise.race([once(other.stdout, 'data'), once(other, 'exit')]);
    expect(other.signalCode).toBeNull();
    expect(existsSync(join(run, 'children-999999.json'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('another app at the socket', () => {
  it('learns nothing about a local server, and neither starts nor stops it (LS-10)', async () => {
    const engine = createTestEngine();
    const here = await connectCommand(engine, nodeCommand(scriptWords({})));
    const { apps } = openIntegrationStore({ folder: engine.folder, locks: engine.ports.locks });
    const options = {
      ports: engine.ports,
      apps,
      collections: { list: async () => [] },
      folder: engine.folder,
      command: undefined,
      observer: { user: {} },
      kind: 'serve' as const,
    };
    const serving = await openGateway(options);
    afterTest(() => serving.close(0));
    const endpoint = JSON.parse(readFileSync(join(engine.folder, 'run', 'endpoint.json'), 'utf8')) as {
      control: string;
    };
    const control = join(engine.folder, 'run', 'control.sock');
    const say = (address: string, secret: string, act: string) =>
      sendLine(address, JSON.stringify({ postern: 1, control: 'local', secret, id: here.id, act }));
    for (const secret of ['', 'x'.repeat(64)])
      for (const address of [serving.socket, control]) expect(await say(address, secret, 'start')).toBe('');
    // Nor does one that has read the secret: apps cannot say such things at their socket at all.
    for (const act of ['status', 'start', 'stop']) expect(await say(serving.socket, endpoint.control, act)).toBe('');
    expect(engine.ports.local.status(here.id).state).toBe('off');
    expect(await say(control, endpoint.control, 'status')).toContain('"state":"off"');
  });
});
