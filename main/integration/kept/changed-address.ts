import { addressChangedNote } from '../../../shared/address-changed-note.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** The secret is for another address than the one that stands in the list now. */
export class ChangedAddress extends PosternError {}

type Store = Pick<EnginePorts, 'store'>;

/**
 * ADDRESS_CHANGED or API_KEY_ADDRESS_CHANGED, after the list says it too. `was`: the address that the secret is for,
 * where that is known. Nothing is deleted: with the old address back, it is used again.
 */
export async function noteChangedAddress(
  { store }: Store,
  integration: Integration,
  was: string | undefined,
): Promise<PosternError> {
  await store.update(integration.id, (kept) =>
    kept.state === 'integrated'
      ? { ...kept, state: 'reauthenticationRequired', notes: [...kept.notes, addressChangedNote] }
      : kept,
  );
  return addressChanged(integration, was);
}

/** The same as the list remembers it: which address the secret is for is not known there. */
export function rememberedAddressChange(integration: Integration): PosternError | undefined {
  return integration.notes.includes(addressChangedNote) ? addressChanged(integration) : undefined;
}

function addressChanged(integration: Integration, was?: string): PosternError {
  const host = displayPlace(new URL(integration.url));
  const old = URL.parse(was ?? '');
  return new ChangedAddress(
    integration.options.headerName !== undefined ? 'API_KEY_ADDRESS_CHANGED' : 'ADDRESS_CHANGED',
    {
      stage: 'connection',
      detail: {
        host,
        name: integration.name,
        ...(old && { was: displayPlace(old) }),
      },
    },
  );
}

/** Takes back what `noteChangedAddress` said: the secret fits the address, so it is the old one again. */
export async function noteAddressIsBack({ store }: Store, { id, notes }: Integration): Promise<void> {
  if (!notes.includes(addressChangedNote)) return;
  await store.update(id, (kept) =>
    kept.notes.includes(addressChangedNote) && kept.state === 'reauthenticationRequired'
      ? { ...kept, state: 'integrated', notes: kept.notes.filter((note) => note !== addressChangedNote) }
      : kept,
  );
}
