import { usualOptions } from '../../main/integration/engine-ports.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';

/** What a person ticks for a server on this computer. */
export const localOptions: IntegrationOptions = { ...usualOptions, local: true };
