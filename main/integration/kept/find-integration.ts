import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { findAtAddress, type KeysOf } from './find-at-address.ts';
import { AmbiguousReference } from '../../ambiguous-reference.ts';
import { PosternError } from '../../postern-error.ts';

/** Shorter ones are names that were mistyped. */
const shortestPrefix = 4;

/**
 * Finds an integration by its id, by its address, by a name that only one has, by its alias, or by the beginning of its
 * id. `keysOf`: left out, an address with a key in it means none. Errors: NOT_FOUND, as `AmbiguousReference` where several
 * are meant; those of `keysOf`.
 */
export async function findIntegration(
  store: IntegrationStore,
  reference: string,
  keysOf?: KeysOf,
): Promise<Integration> {
  const [only, ...others] = await matchIntegrations(store, reference, keysOf);
  if (only && others.length === 0) return only;
  if (only) throw new AmbiguousReference([only, ...others]);
  const names = (await store.list()).flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]);
  const meant = closestWord(reference, names);
  const detail = { count: 0, ...(meant !== undefined && { meant: displayText(meant) }) };
  throw new PosternError('NOT_FOUND', { stage: 'app', detail });
}

/** All that a reference may mean: one with that id, else by address, by name, by alias, or by the beginning of an id. */
export async function matchIntegrations(
  store: IntegrationStore,
  reference: string,
  keysOf: KeysOf = async () => [],
): Promise<readonly Integration[]> {
  const integrations = await store.list();
  const exact = integrations.find(({ id }) => id === reference);
  if (exact) return [exact];
  // A name can be made to look like the address of another server.
  const address = URL.parse(reference);
  const there = address ? await findAtAddress(integrations, address, keysOf) : [];
  if (there.length > 0) return there;
  const plain = reference.toLocaleLowerCase('en');
  const ways: readonly ((integration: Integration) => boolean)[] = [
    ({ name }) => name === reference,
    ({ name }) => name.toLocaleLowerCase('en') === plain,
    ({ alias }) => alias === reference,
    ({ id }) => reference.length >= shortestPrefix && id.startsWith(plain),
  ];
  for (const isMeant of ways) {
    const found = integrations.filter((each) => isMeant(each));
    if (found.length > 0) return found;
  }
  return [];
}
