import type { ErrorCode } from '../error-codes.ts';
import { advise, answered, hostOr } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

export const registryErrors = {
  REGISTRY_OFF: {
    message: 'The search of the MCP registry is off, so nothing was asked.',
    remedy: advise('try-again', 'Turn it on in the settings, then search again.'),
    retryable: false,
  },
  REGISTRY_BUSY: {
    message: (detail) => `${hostOr(detail, 'The registry')} cannot answer at the moment${answered(detail)}.`,
    remedy: advise('wait', 'Try again later.'),
    retryable: true,
  },
  REGISTRY_UNUSABLE: {
    message: (detail) => `${hostOr(detail, 'This')} does not answer as an MCP registry does${answered(detail)}.`,
    remedy: advise('check-address', 'Check the address of the registry in the settings.'),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
