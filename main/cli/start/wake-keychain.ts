import type { Installation } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import { commandAt, lengthOf } from '../options/command-spec.ts';
import { commandTable } from '../table/command-table.ts';

/** Nothing is read then, or elsewhere, which whoever understands the words decides. */
const otherwise = /^(?:-h|-v|--(?:help|version|memory|vault|passphrase-f\w+|key-file|profile-folder)(?:=.*)?)$/su;

/**
 * The keychain's process takes longer to start than all else of a command, so it starts before the modules that parse
 * the words are loaded. `undefined` where it is not plain to see that it will be needed.
 */
export async function wakeKeychain(
  argv: readonly string[],
  installation: Installation,
): Promise<Keychains | undefined> {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const plain = words.filter((each) => !each.startsWith('-'));
  const command = commandAt(commandTable, plain);
  const spec = command && commandTable.specs[command];
  if (command === undefined || spec?.secrets !== 'at-once' || words.some((each) => otherwise.test(each)))
    return undefined;
  return (await import('../opening/prepare-keychain.ts')).prepareKeychain(plain[lengthOf(command)] ?? '', installation);
}
