import { spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import type { WindowSurface } from '../../../shared/choices.ts';
import { notesOf, noteWords } from '../../../shared/compatibility-notes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { statusWords } from '../../../shared/status-words.ts';
import type { AppDependencies } from '../../apps/app-dependencies.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { EndedStatus } from '../../stored-status.ts';
import { checkConnectivity, checkNetwork } from '../../net/http/network-checks.ts';
import type { NetworkCheck } from '../../net/http/network-checks.ts';
import { runChecks } from '../../operations/doctor.ts';
import type { Finding, LocalFinding } from '../../operations/doctor.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import { testStorage } from '../../storage/vault/vault.ts';
import type { CommandContext } from '../command-context.ts';
import { readEndedStatuses } from '../opening/open-command-profile.ts';
import { describeLocalRemedy, describeRemedy, toCommandError } from '../output/describe-error.ts';
import { describeVault } from '../output/describe-integration.ts';
import type { CommandResult, Output } from '../output/output.ts';
import { writeServerCommand } from '../output/write-command.ts';
import type { AdviceContext } from '../output/write-command.ts';
import { checkApps } from '../apps/check-apps.ts';
import type { AppCheck } from '../apps/check-apps.ts';
import { printable, printableLine } from '../text.ts';

const okMessages: Readonly<Record<Finding['name'], string>> = {
  settings: 'The settings can be read.',
  keychain: 'The keychain works.',
  vault: 'Sign-ins can be encrypted and stored.',
  callback: 'The callback port is free.',
  clock: 'The clock looks right.',
  providers: 'You are signed in to all identity providers that your servers use.',
};

interface ComputerCheck {
  readonly name: Finding['name'];
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly message: string;
  readonly nextStep?: string;
}

type AnyCheck = ComputerCheck | NetworkCheck | SandboxCheck | NoteCheck | LocalCheck | AppCheck;

/**
 * `postern doctor`: checks the computer, the network and the AI apps. A finding is a result, not a failure.
 */
export async function doctor(context: CommandContext): Promise<CommandResult> {
  const opened = await context.openEngine();
  const { ports, folder, collections, keychain, network, ignoredVariables, notices } = opened;
  const keyringKind = peekKeyringKind(folder);
  context.steps.begin('Checking the keychain, files, callback port, network and your AI apps');
  let engine: Promise<AppDependencies> | undefined;
  const openApps = (): Promise<AppDependencies> => (engine ??= opened.openApps());
  const found = await runChecks({
    ports,
    collections,
    openApps,
    testStorage: async () => await testStorage({ keychain, vault: await ports.vault() }),
    endedServers: async () => await readEndedStatuses(folder),
  });
  const appChecks = async (): Promise<readonly AppCheck[]> =>
    found.apps ? await checkApps(await openApps(), found.apps, await ports.store.settings()) : [];
  const checks: AnyCheck[] = [
    ...found.checks
      .flatMap((check) => checksOf(check, notices(), context.adviceContext()))
      .map((check) =>
        check.name === 'keychain' && check.ok && keyringKind
          ? { ...check, message: describeVault(keyringKind) }
          : check,
      ),
    checkConnectivity(networkInterfaces()),
    ...checkNetwork({ proxies: network.proxies, trusted: await network.certificates(), ignored: ignoredVariables }),
    ...(await checkSandbox({
      resources: context.installation.resources,
      env: process.env,
      isRoot: process.getuid?.() === 0,
      surface: (await ports.store.settings().catch(() => undefined))?.signInSurface,
    })),
    // An unreadable list has its own check.
    ...checkNotes(await ports.store.list().catch(() => [])),
    ...found.local.map((finding) => checkLocal(finding, context.adviceContext())),
    ...(await appChecks().catch(() => [])),
  ].map((check): AnyCheck => adviseHere(check, context.output));
  const lines = [...new Set(checks.map(describeCheck))];
  lines.push(
    '',
    ...(found.callbackUrl === undefined ? [] : [`Callback URL  ${found.callbackUrl}`]),
    `Folder        ${folder}`,
  );
  const healthy = checks.every(({ ok }) => ok);
  return {
    fields: { callbackUrl: found.callbackUrl ?? null, healthy, vault: keyringKind ?? 'keychain', checks },
    text: printable(lines.join('\n')),
  };
}

/** Problems in parts of the settings file replace the OK message. */
function checksOf({ name, error }: Finding, notices: readonly PosternError[], at: AdviceContext): ComputerCheck[] {
  if (error) {
    const { code, message, remedy } = toPlainError(error);
    return [{ name, ok: false, code, message, nextStep: describeRemedy(remedy, at) }];
  }
  if (name !== 'settings' || notices.length === 0) return [{ name, ok: true, message: okMessages[name] }];
  return notices.map((notice) => {
    const { code, message, nextStep } = toCommandError(notice, at);
    return { name: 'settings', ok: false, code, message, nextStep };
  });
}

/** Rewrites commands as the user can type them here. */
function adviseHere(check: AnyCheck, output: Output): AnyCheck {
  return 'nextStep' in check && check.nextStep !== undefined
    ? { ...check, nextStep: output.advise(check.nextStep) }
    : check;
}

/** A broken keychain also breaks the vault, with the same text; duplicates are removed by the caller. */
function describeCheck(check: AnyCheck): string {
  const lines = [`${check.ok ? '✓' : '✗'} ${check.message}${'code' in check ? ` (${check.code})` : ''}`];
  if ('nextStep' in check && check.nextStep) lines.push(`    ${check.nextStep}`);
  return lines.join('\n');
}

/** A note about how a server is reached or signed in to. */
interface NoteCheck {
  readonly name: 'transport' | 'metadata';
  readonly ok: true;
  readonly message: string;
  /** ID of the integration. */
  readonly id: string;
}

const checkedNotes = { transport: 'old-transport', metadata: 'metadata-partly-unusable' } as const;

/**
 * Notes for servers with the old transport (MCP 2024-11-05) or with partly unusable sign-in metadata. They work, so the
 * check is OK.
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

/** Whether a local server can be started. */
interface LocalCheck {
  readonly name: 'local';
  readonly ok: boolean;
  /** ID of the integration. */
  readonly id: string;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly nextStep?: string;
}

function checkLocal({ server: { id, name }, error, ended }: LocalFinding, at: AdviceContext): LocalCheck {
  const label = printableLine(name);
  if (error) {
    const { code, message, nextStep } = toCommandError(error, { ...at, name });
    return { name: 'local', ok: false, id, message: `${label}: ${message}`, code, nextStep };
  }
  if (!ended) return { name: 'local', ok: true, id, message: `${label}: its command is installed and unchanged.` };
  const message = `${label}: ${statusWords[ended].toLowerCase()}${ended === 'failing' ? ', because it stopped too often' : ''}.`;
  return { name: 'local', ok: false, id, message, nextStep: nextStepFor(ended, { ...at, name }) };
}

function nextStepFor(status: EndedStatus, at: AdviceContext & { readonly name: string }): string {
  const start = describeLocalRemedy('start-server', at);
  return status === 'stopped' ? start : `See its log: \`${writeServerCommand('local logs', at.name)}\`. ${start}`;
}

/** Whether the window's sign-in pages run in Chromium's sandbox. */
interface SandboxCheck {
  readonly name: 'sandbox';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
}

export interface SandboxEnvironment {
  /** Resources folder of the installed desktop app. */
  readonly resources: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
  /** Where the window opens sign-in pages. */
  readonly surface: WindowSurface | 'print' | undefined;
}

/** Milliseconds. Generous, because a computer that has just started is slow. */
const sandboxTimeout = 20_000;

/**
 * Only for the installed desktop app on Linux with a display. Commands run without the sandbox
 * (packaging/linux/postern), so this starts the app once more with it.
 */
export async function checkSandbox(
  at: SandboxEnvironment,
  platform = process.platform,
): Promise<readonly SandboxCheck[]> {
  const { resources, env } = at;
  if (platform !== 'linux' || resources === undefined || !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return [];
  const folder = path.dirname(resources);
  if (at.isRoot) {
    const message = 'The window does not start as root, because Chromium’s sandbox does not work there. Commands do.';
    return [{ name: 'sandbox', ok: true, message }];
  }
  const isSandboxed = await startsSandboxed(path.join(folder, 'postern'), env);
  if (isSandboxed === undefined) return [];
  if (isSandboxed) return [{ name: 'sandbox', ok: true, message: 'Sign-in pages in the window run in a sandbox.' }];
  const reason = 'This computer does not allow user namespaces, which the sandbox for sign-in pages needs';
  if (env['APPIMAGE']) {
    if (at.surface === 'browser')
      return [{ name: 'sandbox', ok: true, message: `${reason}. Sign-in pages open in your browser instead.` }];
    const message = `${reason}. The AppImage shows sign-in pages without a sandbox.`;
    return [{ name: 'sandbox', ok: false, message, nextStep: 'postern settings signInSurface browser' }];
  }
  const helper = path.join(folder, 'chrome-sandbox');
  const nextStep = `sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`;
  return [{ name: 'sandbox', ok: false, message: `${reason}. The window does not start.`, nextStep }];
}

/** Signals of a deliberate Chromium abort, which depend on the CPU. Observed: SIGTRAP. */
const chromiumExitSignals: readonly (NodeJS.Signals | null)[] = ['SIGTRAP', 'SIGABRT', 'SIGILL'];

/** Chromium sets up its sandbox first and aborts if it cannot. `undefined`: it failed for another reason. */
async function startsSandboxed(app: string, env: NodeJS.ProcessEnv): Promise<boolean | undefined> {
  const words = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3', '--cli', '--', '--version'];
  const { ELECTRON_DISABLE_SANDBOX: _, ...otherVariables } = env;
  const child = spawn(app, words, {
    env: otherVariables,
    stdio: 'ignore',
    timeout: sandboxTimeout,
    killSignal: 'SIGKILL',
  });
  return await new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(true);
      else resolve(chromiumExitSignals.includes(signal) ? false : undefined);
    });
  });
}
