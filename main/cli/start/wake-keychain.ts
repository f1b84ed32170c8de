import type { Installation } from '../../host/installation.ts';
import type { Keychains } from '../../host/keychains.ts';
import { commandAt, wordCount } from '../options/command-spec.ts';
import { commandTable } from '../table/command-table.ts';

/** With these, no secret is read, or the parser has to decide which keychain. */
const excludedOptions = /^(?:-h|-v|--(?:help|version|memory|vault|passphrase-f\w+|key-file|profile-folder)(?:=.*)?)$/su;

/**
 * Starts the keychain process before the parser is even loaded, because it takes longer to start than the rest of a
 * command. `undefined` if it is not certain that the command needs it.
 */
export async function wakeKeychain(
  argv: readonly string[],
  installation: Installation,
): Promise<Keychains | undefined> {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const plain = words.filter((each) => !each.startsWith('-'));
  const command = commandAt(commandTable, plain);
  const spec = command && commandTable.specs[command];
  if (command === undefined || spec?.secrets !== 'at-once' || words.some((each) => excludedOptions.test(each)))
    return undefined;
  return (await import('../opening/prepare-keychain.ts')).prepareKeychain(
    plain[wordCount(command)] ?? '',
    installation,
  );
}
