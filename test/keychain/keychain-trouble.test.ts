import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { node, type RunningScript, runScript, supportScript } from '../support/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Every test has its own sessions: a bus, a keyring, a home. `use-vault.ts` prints what a session does.

const useVault = (folder: string, operations: readonly string[]) =>
  node(supportScript('storage/use-vault.ts'), folder, ...operations);

/** A session with an unlocked keyring in `home`; the same home has the same keyring again. */
function session(home: string, folder: string, operations: readonly string[], options: string[] = []): RunningScript {
  const shell = ['bash', supportScript('with-keychain.sh'), '--home', home, ...options];
  return runScript([...shell, ...useVault(folder, operations)], { quiet: true });
}

/** The outcome of each operation; the process must have ended on its own. */
async function outcomes(script: RunningScript): Promise<Record<string, unknown>[]> {
  const { code, signal, lines } = await script.ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function createUser(): { home: string; folder: string; vault: () => string } {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  return { home, folder, vault: () => readFileSync(path.join(folder, 'vault'), 'utf8') };
}

describe('deleting everything on a real keyring', () => {
  it('leaves no entry of our service, not even of a damaged vault, and no file (KC-15)', async () => {
    const { home, folder } = createUser();
    await outcomes(session(home, folder, ['write', 'test']));
    renameSync(path.join(folder, 'vault'), path.join(folder, 'vault.corrupt-1'));
    expect(
      await outcomes(session(home, folder, ['write', 'entries', 'delete-secrets', 'delete-rest', 'entries'])),
    ).toEqual([{ write: 'ok' }, { entries: 2 }, { 'delete-secrets': 2 }, { 'delete-rest': 'ok' }, { entries: 0 }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports KC_LOCKED for a locked keyring, keeps no record, and removes its entry in the next session (KC-15)', async () => {
    const { home, folder, vault } = createUser();
    const operations = ['write', 'lock', 'reopen', 'delete-secrets', 'delete-rest'];
    expect((await outcomes(session(home, folder, operations))).slice(3)).toEqual([
      { 'delete-secrets': 'KC_LOCKED' },
      { 'delete-rest': 'ok' },
    ]);
    expect(JSON.parse(vault())).toMatchObject({ records: [] });
    expect(await outcomes(session(home, folder, ['entries', 'delete-secrets', 'delete-rest', 'entries']))).toEqual([
      { entries: 1 },
      { 'delete-secrets': 1 },
      { 'delete-rest': 'ok' },
      { entries: 0 },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the vault on a real keyring', () => {
  it('keeps its secrets over a restart of session, keyring and app', async () => {
    const { home, folder } = createUser();
    expect(await outcomes(session(home, folder, ['write', 'test']))).toEqual([
      { write: 'ok' },
      { test: ['keychain ok', 'vault ok'] },
    ]);
    expect(await outcomes(session(home, folder, ['read']))).toEqual([{ read: { accessToken: `token of ${folder}` } }]);
  });

  it('reports KC_LOCKED for a locked keyring, creates no new key, and opens again in the next session', async () => {
    const { home, folder, vault } = createUser();
    const operations = ['write', 'lock', 'reopen', 'ready', 'read', 'write', 'test', 'delete-entry'];
    const results = await outcomes(session(home, folder, operations));
    expect(results.slice(3)).toEqual([
      { ready: 'KC_LOCKED' },
      { read: 'KC_LOCKED' },
      { write: 'KC_LOCKED' },
      { test: ['keychain KC_LOCKED', 'vault KC_LOCKED'] },
      { 'delete-entry': 'KC_LOCKED' },
    ]);
    const before = vault();
    expect(await outcomes(session(home, folder, ['read']))).toEqual([{ read: { accessToken: `token of ${folder}` } }]);
    expect(vault()).toBe(before);
  });

  it('reports KC_LOCKED for a locked keyring before there is a vault, and creates none', async () => {
    const { home, folder } = createUser();
    expect(await outcomes(session(home, folder, ['lock', 'ready', 'read-nothing']))).toEqual([
      { lock: 'ok' },
      { ready: 'KC_LOCKED' },
      { 'read-nothing': 'KC_LOCKED' },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports KC_UNAVAILABLE without D-Bus, and creates no vault', async () => {
    const { home, folder } = createUser();
    const results = await outcomes(session(home, folder, ['ready', 'read-entry', 'test'], ['--no-dbus']));
    expect(results).toEqual([
      { ready: 'KC_UNAVAILABLE' },
      { 'read-entry': 'KC_UNAVAILABLE' },
      { test: ['keychain KC_UNAVAILABLE', 'vault KC_UNAVAILABLE'] },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports KC_UNAVAILABLE if no bus is named at all', async () => {
    const { folder } = createUser();
    const env = { PATH: process.env['PATH'], HOME: temporaryFolder() };
    expect(await outcomes(runScript(useVault(folder, ['ready']), { env }))).toEqual([{ ready: 'KC_UNAVAILABLE' }]);
  });

  it('reports KC_UNAVAILABLE on a bus without a secret service', async () => {
    const { folder } = createUser();
    const config = path.join(temporaryFolder(), 'bus.conf');
    const rules = '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>';
    const policy = `<policy context="default">${rules}</policy>`;
    const listen = '<listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>';
    writeFileSync(config, `<busconfig><type>session</type>${listen}${policy}</busconfig>`);
    const bus = ['dbus-run-session', `--config-file=${config}`, '--'];
    const script = runScript([...bus, ...useVault(folder, ['ready', 'read-entry'])], { quiet: true });
    expect(await outcomes(script)).toEqual([{ ready: 'KC_UNAVAILABLE' }, { 'read-entry': 'KC_UNAVAILABLE' }]);
  });

  it('reports KC_UNAVAILABLE if no keyring is set up', async () => {
    const { home, folder } = createUser();
    const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: temporaryFolder() };
    const script = runScript(['dbus-run-session', '--', ...useVault(folder, ['ready', 'read-entry'])], {
      env,
      quiet: true,
    });
    expect(await outcomes(script)).toEqual([{ ready: 'KC_UNAVAILABLE' }, { 'read-entry': 'KC_UNAVAILABLE' }]);
  });

  it('reports KC_TIMEOUT while an unlock prompt waits, works again, and exits (KC-03)', async () => {
    const { home, folder } = createUser();
    withWaitingPrompt(home);
    const operations = ['write', 'lock', 'reopen', 'read', 'read', 'delete', '--timeout=1500'];
    expect((await outcomes(session(home, folder, operations))).slice(3)).toEqual([
      { read: 'KC_TIMEOUT' },
      { read: 'KC_TIMEOUT' },
      { delete: 'ok' },
    ]);
  });

  it('leaves no process behind when it is killed during a prompt', async () => {
    const { home, folder } = createUser();
    withWaitingPrompt(home);
    // The session stays open, and with it the prompt, until the file is deleted.
    const stay = path.join(folder, 'stay');
    writeFileSync(stay, '');
    const wait = ['bash', '-c', `"$@"; while [ -e "${stay}" ]; do sleep 0.1; done`, '_'];
    const shell = ['bash', supportScript('with-keychain.sh'), '--home', home, ...wait];
    const script = runScript([...shell, ...useVault(folder, ['write', 'lock', 'reopen', 'ready'])], { quiet: true });
    for (let line = 0; line < 3; line += 1) await script.nextLine();
    await expect.poll(() => processes(folder).children.length).toBe(1);
    await expect.poll(() => prompters(home).length).toBe(1);
    const { main, children } = processes(folder);
    process.kill(main[0] ?? 0, 'SIGKILL');
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
    expect(prompters(home)).toHaveLength(1);
    rmSync(stay);
    await script.ended;
  });

  it('keeps two users separate, and reports a copied profile instead of failing (KC-11)', async () => {
    const [first, second] = [createUser(), createUser()];
    const outcomesOfBoth = await Promise.all(
      [first, second].map(({ home, folder }) => outcomes(session(home, folder, ['write', 'read']))),
    );
    expect(outcomesOfBoth.map(([, read]) => read)).toEqual([
      { read: { accessToken: `token of ${first.folder}` } },
      { read: { accessToken: `token of ${second.folder}` } },
    ]);
    cpSync(first.folder, second.folder, { recursive: true, force: true });
    const copied = second.vault();
    expect(await outcomes(session(second.home, second.folder, ['ready', 'read', 'write']))).toEqual([
      { ready: 'KC_LOCKED' },
      { read: 'KC_LOCKED' },
      { write: 'KC_LOCKED' },
    ]);
    expect(second.vault()).toBe(copied);
    // The remedy that the error names.
    rmSync(path.join(second.folder, 'vault'));
    expect((await outcomes(session(second.home, second.folder, ['read', 'write', 'read']))).slice(1)).toEqual([
      { write: 'ok' },
      { read: { accessToken: `token of ${second.folder}` } },
    ]);
    expect(await outcomes(session(first.home, first.folder, ['read']))).toEqual([
      { read: { accessToken: `token of ${first.folder}` } },
    ]);
  });
});

/** A prompter that starts for the keyring and never responds, like a user who is away; it ends with its bus. */
function withWaitingPrompt(home: string): void {
  const services = path.join(home, '.local/share/dbus-1/services');
  mkdirSync(services, { recursive: true });
  writeFileSync(path.join(home, 'prompter.sh'), 'dbus-monitor --session >/dev/null 2>&1\n');
  const name = 'org.gnome.keyring.SystemPrompter';
  const service = `[D-BUS Service]\nName=${name}\nExec=/bin/sh ${path.join(home, 'prompter.sh')}\n`;
  writeFileSync(path.join(services, `${name}.service`), service);
}

function prompters(home: string): number[] {
  return runningProcesses()
    .filter(({ command }) => command[1] === path.join(home, 'prompter.sh'))
    .map(({ pid }) => pid);
}

/** Processes of the session in `folder`: the script, and the keychain's process below it. */
function processes(folder: string): { main: number[]; children: number[] } {
  const rows = runningProcesses();
  const main = rows.filter(({ command }) => command[1]?.endsWith('use-vault.ts') && command[2] === folder);
  const parents = new Set(main.map(({ pid }) => pid));
  const children = rows.filter(({ parent }) => parents.has(parent));
  return { main: main.map(({ pid }) => pid), children: children.map(({ pid }) => pid) };
}

function runningProcesses(): { pid: number; parent: number; command: string[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        // After the name in brackets: the state, then the parent.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        // The process has exited.
        return [];
      }
    });
}

/** An ended process that was not waited for has no command. */
function isAlive(pid: number): boolean {
  return runningProcesses().some((row) => row.pid === pid && row.command.some((word) => word !== ''));
}
