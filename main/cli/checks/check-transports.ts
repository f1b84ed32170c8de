import { noteWords, notesOf } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';

/** What is to be known of how a server is reached, in words for a person. */
export interface TransportCheck {
  readonly name: 'transport';
  readonly ok: true;
  readonly message: string;
  /** Of the integration. */
  readonly id: string;
}

/** One for each server with the old transport (MCP 2024-11-05): it works, and its provider may have a newer address. */
export function checkTransports(list: readonly Integration[]): readonly TransportCheck[] {
  return list
    .filter((integration) => notesOf(integration).includes('old-transport'))
    .map(({ id, name }) => ({ name: 'transport', ok: true, message: `${name}: ${noteWords['old-transport']}`, id }));
}
