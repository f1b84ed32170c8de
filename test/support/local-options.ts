import { defaultOptions } from '../../main/engine/engine-ports.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';

/** The options that a user selects for a local server. */
export const localOptions: IntegrationOptions = { ...defaultOptions, local: true };
