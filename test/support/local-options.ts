import { usualOptions } from '../../main/engine/engine-ports.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';

/** What a person ticks for a server on this computer. */
export const localOptions: IntegrationOptions = { ...usualOptions, local: true };
