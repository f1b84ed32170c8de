import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-place.ts';
import { displayText } from '../../address/display-text.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { removeIntegration } from '../../integration/leave/remove-integration.ts';
import type { Removed } from '../../integration/leave/remove-integration.ts';
import { usesApiKey } from '../../integration/kept/api-key.ts';
import { PosternError } from '../../postern-error.ts';
import { splitAddress } from '../../secret-words.ts';
import { summarise } from '../output/describe-integration.ts';
import { printableLine } from '../text/printable.ts';
import { registrationDeletionSentences, revocationSentences } from '../output/revocation-sentences.ts';

interface Wanted {
  readonly name: string | undefined;
  readonly url: string;
  readonly options: IntegrationOptions;
  /** `--replace` */
  readonly replace: boolean;
}

/**
 * What stands before the connection that is made: the same server, which keeps its id, or one that gives up its name.
 */
export interface Before {
  readonly again?: Integration;
  readonly replaced?: Integration;
}

/**
 * Commands know a server by its name, so that a second one of that name would leave scripts with the first one's
 * access. Errors: NAME_TAKEN, those of the address rule, CFG_*.
 */
export async function findBefore({ store }: Pick<EnginePorts, 'store'>, wanted: Wanted): Promise<Before> {
  if (wanted.name === undefined) return {};
  const { href, parts } = splitAddress(parseTypedAddress(wanted.url).href);
  const name = displayText(wanted.name);
  const existing = (await store.list()).find((one) => one.name === name);
  if (existing === undefined) return {};
  // The same server with an API key and with a sign-in is two.
  const usesKey = parts.length > 0 || usesApiKey(wanted);
  if (existing.url === href && usesApiKey(existing) === usesKey) return { again: existing };
  if (wanted.replace) return { replaced: existing };
  const url = new URL(existing.url);
  throw new PosternError('NAME_TAKEN', {
    stage: 'address',
    detail: { name: existing.name, place: `${displayPlace(url)}${url.pathname}`.slice(0, 200) },
  });
}

/** Once the new connection works: the old one's access is ended and all that is kept for it deleted. */
export async function removeReplaced(
  ports: EnginePorts,
  { replaced }: Before,
  signal: AbortSignal,
): Promise<Removed | undefined> {
  return replaced && (await removeIntegration(ports, replaced, signal));
}

export function describeReplaced({ integration, revocation, registration }: Removed): object {
  return { replaced: { integration: summarise(integration), revocation, registration } };
}

export function sayReplaced({ integration, revocation, registration }: Removed): string {
  return [
    `It took the name of ${printableLine(integration.url)}, which is removed.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
