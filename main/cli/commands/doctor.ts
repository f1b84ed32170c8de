import { networkInterfaces } from 'node:os';
import type { Check } from '../../integration/doctor/doctor.ts';
import { runDoctor } from '../../integration/doctor/doctor.ts';
import type { PosternError } from '../../postern-error.ts';
import { testStorage } from '../../storage/vault/storage-self-test.ts';
import { checkLink, checkNetwork } from '../../user-agent/http/network-checks.ts';
import type { NetworkCheck } from '../../user-agent/http/network-checks.ts';
import { glanceAtKeyring } from '../../storage/keychain/glance-at-keyring.ts';
import { describeVault } from '../output/describe-vault.ts';
import { checkSandbox } from '../checks/check-sandbox.ts';
import type { SandboxCheck } from '../checks/check-sandbox.ts';
import { checkPrograms } from '../checks/check-programs.ts';
import { checkLocal } from '../checks/check-local.ts';
import type { LocalCheck } from '../checks/check-local.ts';
import type { ProgramCheck } from '../checks/program-check.ts';
import type { CommandContext } from '../command-context.ts';
import { endedIn } from '../opening/ended-in.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import type { Answer, Output } from '../output/output.ts';
import type { Situation } from '../output/write-command.ts';
import { toCommandError } from '../output/command-error.ts';
import { describeRemedy } from '../output/describe-remedy.ts';
import { printable } from '../text/printable.ts';
import { noteWords, notesOf } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';

const well: Readonly<Record<Check['name'], string>> = {
  settings: 'The settings can be read.',
  keychain: 'The keychain of this computer keeps secrets.',
  vault: 'Sign-ins can be sealed and kept.',
  callback: 'The callback port is free.',
  clock: 'The clock can be right.',
  providers: 'Somebody is signed in at each identity provider that servers use.',
};

type ToldCheck = Omit<Check, 'remedy'> & { readonly message: string; readonly nextStep?: string };
type AnyCheck = ToldCheck | NetworkCheck | SandboxCheck | TransportCheck | LocalCheck | ProgramCheck;

/**
 * `postern doctor`: whether this computer has what a sign-in needs, and what its network does. A finding is an answer,
 * not a failure.
 */
export async function doctor(context: CommandContext): Promise<Answer> {
  const { ports, folder, programs, collections, keychain, network, ignored, notices } =
    await openCommandEngine(context);
  const sealedWith = glanceAtKeyring(folder);
  context.steps.begin('Looking at the keychain, the files, the callback port, the network and your programs');
  const found = await runDoctor(ports, async () => await testStorage({ keychain, vault: await ports.vault() }));
  const programChecks = async (): Promise<readonly ProgramCheck[]> => {
    const engine = await openEnginePrograms(context, { ports, folder, programs });
    const lists = { integrations: await ports.store.list(), collections: await collections.list() };
    return await checkPrograms(engine, lists, await ports.store.settings());
  };
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
    ...checkTransports(await ports.store.list().catch(() => [])),
    ...(await checkLocal(await ports.store.list().catch(() => []), ports, await endedIn(folder), context.situation())),
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
function checksOf(
  { remedy, detail: _detail, ...check }: Check,
  notices: readonly PosternError[],
  at: Situation,
): ToldCheck[] {
  if (check.name !== 'settings' || !check.ok || notices.length === 0) {
    const message = check.message ?? well[check.name];
    return [{ ...check, message, ...(remedy && { nextStep: describeRemedy(remedy, at) }) }];
  }
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

/** What is to be known of how a server is reached, in words for a person. */
interface TransportCheck {
  readonly name: 'transport';
  readonly ok: true;
  readonly message: string;
  /** Of the integration. */
  readonly id: string;
}

/** One for each server with the old transport (MCP 2024-11-05): it works, and its provider may have a newer address. */
function checkTransports(list: readonly Integration[]): readonly TransportCheck[] {
  return list
    .filter((integration) => notesOf(integration).includes('old-transport'))
    .map(({ id, name }) => ({ name: 'transport', ok: true, message: `${name}: ${noteWords['old-transport']}`, id }));
}
