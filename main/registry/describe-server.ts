import { domainToASCII } from 'node:url';
import type { RegistryServer, RegistryRemote } from '../../shared/registry-calls.ts';
import { displayText } from '../address/display-text.ts';
import { isConfusableHost } from '../address/is-confusable-host.ts';
import { displayNameLength } from '../limits.ts';
import { describeRemote } from './describe-remote.ts';
import type { Registry } from './open-registry.ts';
import type { PublishedServer } from './read-page.ts';
import { registryEntry } from './registry-bounds.ts';

/** An entry as the window may show it; `undefined` where none of its addresses can be used. */
export function describeServer(published: PublishedServer, registry: Registry): RegistryServer | undefined {
  const { name } = published;
  const title = displayText(published.title ?? '', displayNameLength);
  const does = displayText(published.description ?? '', registryEntry.text);
  const remotes = published.remotes
    .slice(0, registryEntry.remotes)
    .flatMap((remote) => describeRemote(remote, name, registry) ?? [])
    // What can be used comes first.
    .toSorted((one, other) => rank(one) - rank(other));
  if (remotes.length === 0) return undefined;
  return { name, ...(title && isPlain(title) && { title }), ...(does && { does }), remotes };
}

const rank = ({ transport, blanks, headers }: RegistryRemote): number =>
  (transport === 'sse' ? 100 : 0) + blanks.length + headers.length;

/** By the rule for hosts: no word of it has letters that may be taken for others. */
function isPlain(title: string): boolean {
  return title
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every((word) => !isConfusableHost(`${domainToASCII(word) || word}.com`));
}
