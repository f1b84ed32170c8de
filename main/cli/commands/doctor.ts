import { spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import type { WindowSurface } from '../../../shared/choices.ts';
import { notesOf, noteWords } from '../../../shared/compatibility-notes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { statusWords } from '../../../shared/status-words.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { EndedStatus } from '../../kept-status.ts';
import { checkLink, checkNetwork } from '../../net/http/network-checks.ts';
import type { NetworkCheck } from '../../net/http/network-checks.ts';
import { examine } from '../../operations/doctor.ts';
import type { Finding, LocalFinding } from '../../operations/doctor.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import { testStorage } from '../../storage/vault/vault.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { endedIn } from '../opening/open-command-profile.ts';
import { describeLocalRemedy, describeRemedy, toCommandError } from '../output/describe-error.ts';
import { describeVault } from '../output/describe-integration.ts';
import type { Answer, Output } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import type { Situation } from '../output/write-command.ts';
import { checkPrograms } from '../programs/check-programs.ts';
import type { ProgramCheck } from '../programs/check-programs.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { printable, printableLine } from '../text.ts';

const well: Readonly<Record<Finding['name'], string>> = {
  settings: 'The settings can be read.',
  keychain: 'The keychain of this computer keeps secrets.',
  vault: 'Sign-ins can be sealed and kept.',
  callback: 'The callback port is free.',
  clock: 'The clock can be right.',
  providers: 'Somebody is signed in at each identity provider that servers use.',
};

interface ToldCheck {
  readonly name: Finding['name'];
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly message: string;
  readonly nextStep?: string;
}

type AnyCheck = ToldCheck | NetworkCheck | SandboxCheck | NoteCheck | LocalCheck | ProgramCheck;

/**
 * `postern doctor`: whether this computer has what a sign-in needs, and what its network does. A finding is an answer,
 * not a failure.
 */
export async function doctor(context: CommandContext): Promise<Answer> {
  const { ports, folder, programs, collections, keychain, network, ignored, notices } =
    await openCommandEngine(context);
  const sealedWith = glanceAtKeyring(folder);
  context.steps.begin('Looking at the keychain, the files, the callback port, the network and your programs');
  let engine: Promise<ProgramEngine> | undefined;
  const openPrograms = (): Promise<ProgramEngine> =>
    (engine ??= openEnginePrograms(context, { ports, folder, programs }));
  const found = await examine({
    ports,
    collections,
    openPrograms,
    testStorage: async () => await testStorage({ keychain, vault: await ports.vault() }),
    endedServers: async () => await endedIn(folder),
  });
  const programChecks = async (): Promise<readonly ProgramCheck[]> =>
    found.apps ? await checkPrograms(await openPrograms(), found.apps, await ports.store.settings()) : [];
  const checks: AnyCheck[] = [
    ...found.checks
      .flatMap((check) => checksOf(check, notices(), context.situation()))
      .map((check) =>
        check.name === 'keychain' && check.ok && sealedWith ? { ...check, message: describeVault(sealedWith) } : check,
      ),
    checkLink(networkInterfaces()),
    ...checkNetwork({ proxies: network.proxies, trusted: await network.certificates(), ignored }),
    ...(await checkSandbox({
      resources: context.installation.resources,
      env: process.env,
      isRoot: process.getuid?.() === 0,
      surface: (await ports.store.settings().catch(() => undefined))?.signInSurface,
    })),
    // A list that cannot be read is told by its own check.
    ...checkNotes(await ports.store.list().catch(() => [])),
    ...found.local.map((finding) => describeLocal(finding, context.situation())),
    ...(await programChecks().catch(() => [])),
  ].map((check): AnyCheck => adviseHere(check, context.output));
  const lines = [...new Set(checks.map(describeCheck))];
  lines.push(
    '',
    ...(found.callbackUrl === undefined ? [] : [`Callback URL  ${found.callbackUrl}`]),
    `Folder        ${folder}`,
  );
  const healthy = checks.every(({ ok }) => ok);
  return {
    fields: { callbackUrl: found.callbackUrl ?? null, healthy, vault: sealedWith ?? 'keychain', checks },
    text: printable(lines.join('\n')),
  };
}

/** What is wrong with a part of the settings file is told in the place of its being well. */
function checksOf({ name, error }: Finding, notices: readonly PosternError[], at: Situation): ToldCheck[] {
  if (error) {
    const { code, message, remedy } = toPlainError(error);
    return [{ name, ok: false, code, message, nextStep: describeRemedy(remedy, at) }];
  }
  if (name !== 'settings' || notices.length === 0) return [{ name, ok: true, message: well[name] }];
  return notices.map((notice) => {
    const { code, message, nextStep } = toCommandError(notice, at);
    return { name: 'settings', ok: false, code, message, nextStep };
  });
}

/** Its commands as they can be typed here. */
function adviseHere(check: AnyCheck, output: Output): AnyCheck {
  return 'nextStep' in check && check.nextStep !== undefined
    ? { ...check, nextStep: output.advise(check.nextStep) }
    : check;
}

/** What keeps the keychain from working keeps the vault from it in the same words; they are said once. */
function describeCheck(check: AnyCheck): string {
  const lines = [`${check.ok ? '✓' : '✗'} ${check.message}${'code' in check ? ` (${check.code})` : ''}`];
  if ('nextStep' in check && check.nextStep) lines.push(`    ${check.nextStep}`);
  return lines.join('\n');
}

/** What is to be known of how a server is reached or signed in to, in words for a person. */
interface NoteCheck {
  readonly name: 'transport' | 'metadata';
  readonly ok: true;
  readonly message: string;
  /** Of the integration. */
  readonly id: string;
}

const checkedNotes = { transport: 'old-transport', metadata: 'metadata-partly-unusable' } as const;

/**
 * One for each server with the old transport (MCP 2024-11-05), or with sign-in documents of which a part is unusable: it
 * works, and its provider may know of something better.
 */
function checkNotes(list: readonly Integration[]): readonly NoteCheck[] {
  return list.flatMap((integration) => {
    const { id, name: of } = integration;
    const notes = notesOf(integration);
    return (['transport', 'metadata'] as const)
      .filter((name) => notes.includes(checkedNotes[name]))
      .map((name) => ({ name, ok: true, message: `${of}: ${noteWords[checkedNotes[name]]}`, id }));
  });
}

/** Whether a server on this computer could be started, in words for a person. */
interface LocalCheck {
  readonly name: 'local';
  readonly ok: boolean;
  /** Of the integration. */
  readonly id: string;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly nextStep?: string;
}

function describeLocal({ server: { id, name }, error, ended }: LocalFinding, at: Situation): LocalCheck {
  const shown = printableLine(name);
  if (error) {
    const { code, message, nextStep } = toCommandError(error, { ...at, name });
    return { name: 'local', ok: false, id, message: `${shown}: ${message}`, code, nextStep };
  }
  if (!ended)
    return { name: 'local', ok: true, id, message: `${shown}: its command is there, and is what you allowed.` };
  const message = `${shown}: ${statusWords[ended].toLowerCase()}${ended === 'failing' ? ', it ended too often' : ''}.`;
  return { name: 'local', ok: false, id, message, nextStep: stepAfter(ended, { ...at, name }) };
}

function stepAfter(status: EndedStatus, at: Situation & { readonly name: string }): string {
  const start = describeLocalRemedy('start-server', at);
  return status === 'stopped' ? start : `See what it has written: \`${writeUse('local logs', at.name)}\`. ${start}`;
}

/** Whether sign-in pages of the window run in Chromium's sandbox here, in words for a person. */
export interface SandboxCheck {
  readonly name: 'sandbox';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

export interface SandboxPlace {
  /** The folder of an installed program's files. */
  readonly resources: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
  /** Where the window opens sign-in pages. */
  readonly surface: WindowSurface | 'print' | undefined;
}

/** Milliseconds; a computer that has just started is slow. */
const patience = 20_000;

/**
 * On Linux, of an installed program, where windows can be shown: elsewhere the system has the sandbox, or nothing needs
 * it. A command runs without it (packaging/linux/postern), so the program is started once more with it.
 */
export async function checkSandbox(at: SandboxPlace, platform = process.platform): Promise<readonly SandboxCheck[]> {
  const { resources, env } = at;
  if (platform !== 'linux' || resources === undefined || !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return [];
  const folder = path.dirname(resources);
  if (at.isRoot) {
    const message = 'The window does not start as root, where Chromium has no sandbox. Commands need none.';
    return [{ name: 'sandbox', ok: true, message }];
  }
  const hasOne = await startsSandboxed(path.join(folder, 'postern'), env);
  if (hasOne === undefined) return [];
  if (hasOne) return [{ name: 'sandbox', ok: true, message: 'Sign-in pages of the window run in a sandbox.' }];
  const refused = 'This computer allows Postern no user namespaces, which the sandbox for sign-in pages needs';
  if (env['APPIMAGE']) {
    if (at.surface === 'browser')
      return [{ name: 'sandbox', ok: true, message: `${refused}. Sign-in pages open in your browser instead.` }];
    const message = `${refused}: the window of an AppImage shows them without one.`;
    return [{ name: 'sandbox', ok: false, message, nextStep: 'postern settings signInSurface browser' }];
  }
  const helper = path.join(folder, 'chrome-sandbox');
  const nextStep = `sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`;
  return [{ name: 'sandbox', ok: false, message: `${refused}: the window does not start.`, nextStep }];
}

/** How Chromium ends itself on purpose, by the processor; a kill or a fault comes by others. Seen: SIGTRAP. */
const ownEnds: readonly (NodeJS.Signals | null)[] = ['SIGTRAP', 'SIGABRT', 'SIGILL'];

/**
 * Chromium makes its sandbox before a program begins, and ends itself where it cannot. `undefined`: it ended for another
 * reason.
 */
async function startsSandboxed(program: string, env: NodeJS.ProcessEnv): Promise<boolean | undefined> {
  const words = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3', '--cli', '--', '--version'];
  const { ELECTRON_DISABLE_SANDBOX: _, ...kept } = env;
  const child = spawn(program, words, { env: kept, stdio: 'ignore', timeout: patience, killSignal: 'SIGKILL' });
  return await new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(true);
      else resolve(ownEnds.includes(signal) ? false : undefined);
    });
  });
}
