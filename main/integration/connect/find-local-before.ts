import type { Integration } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-place.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** The server on this computer that has this name, which gets another command. Errors: NAME_TAKEN, CFG_*. */
export async function findLocalBefore(
  { store }: Pick<EnginePorts, 'store'>,
  name: string,
): Promise<Integration | undefined> {
  const existing = (await store.list()).find((one) => one.name === displayText(name));
  if (!existing || existing.command) return existing;
  const place = displayPlace(new URL(existing.url)).slice(0, 200);
  throw new PosternError('NAME_TAKEN', { stage: 'address', detail: { name: existing.name, place } });
}
