import type { Check } from '../../integration/examine.ts';
import { examine } from '../../integration/examine.ts';
import { testStorage } from '../../storage/storage-self-test.ts';
import type { CommandContext } from '../command-context.ts';
import { openEngine } from '../open-engine.ts';
import type { Answer } from '../output.ts';
import { printable } from '../printable.ts';

const well: Readonly<Record<Check['name'], string>> = {
  settings: 'The settings can be read.',
  keychain: 'The keychain of this computer keeps secrets.',
  vault: 'Sign-ins can be sealed and kept.',
  callback: 'The callback port is free.',
};

/** `postern doctor`: whether this computer has what a sign-in needs. A finding is an answer, not a failure. */
export async function doctor(context: CommandContext): Promise<Answer> {
  const { ports, folder, keychain } = await openEngine(context);
  context.steps.begin('Looking at the keychain, the files and the callback port');
  const found = await examine(ports, async () => await testStorage({ keychain, vault: await ports.vault() }));
  const checks = found.checks.map((check) => ({ ...check, message: check.message ?? well[check.name] }));
  const lines = checks.flatMap(({ ok, message, code, nextStep }) => [
    `${ok ? '✓' : '✗'} ${message}${code ? ` (${code})` : ''}`,
    ...(nextStep ? [`    ${nextStep}`] : []),
  ]);
  if (found.callbackUrl !== undefined) lines.push('', `Callback URL  ${found.callbackUrl}`, `Folder        ${folder}`);
  return { fields: { callbackUrl: found.callbackUrl ?? null, checks }, text: printable(lines.join('\n')) };
}
