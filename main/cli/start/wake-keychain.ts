import type { Installation } from '../../engine/installation.ts';
import type { Keychains } from '../../engine/keychains.ts';
import type { CommandName, ShortName } from '../options/command-specs.ts';

/** Words that begin by reading a secret. */
const readsSecrets: ReadonlySet<string> = new Set<CommandName | ShortName>([
  'connect',
  'login',
  'tools',
  'call',
  'review',
  'resources',
  'read',
  'prompts',
  'prompt',
  'token',
  'exec',
  'refresh',
  'switch',
  'headers',
  'local',
  'start',
  'serve',
  'watch',
]);

/** Nothing is read then, or elsewhere, which whoever understands the words decides. */
const otherwise = /^(?:-h|-v|--(?:help|version|memory|vault|passphrase-f\w+|key-file|profile-folder)(?:=.*)?)$/su;

/**
 * The keychain's process takes longer to start than all else of a command, so it starts before any other module is
 * loaded, even those that understand the words. `undefined` where it is not plain to see that it will be needed.
 */
export async function wakeKeychain(
  argv: readonly string[],
  installation: Installation,
): Promise<Keychains | undefined> {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const [command = '', reference = ''] = words.filter((word) => !word.startsWith('-'));
  if (!readsSecrets.has(command) || words.some((word) => otherwise.test(word))) return undefined;
  return (await import('../opening/prepare-keychain.ts')).prepareKeychain(reference, installation);
}
