import type { CatalogueDetail } from './catalogue-entry.ts';
import { hostOr } from './catalogue-entry.ts';

/** That `secret` was not sent; with `detail.was`, the place that it is for. */
export function changedAddress(secret: 'sign-in' | 'API key', detail: CatalogueDetail): string {
  const { was } = detail;
  const host = hostOr(detail, 'this server');
  if (was === undefined)
    return `The ${secret} that is kept is not known to be for ${host} at its present address, so it was not sent there.`;
  return was === host
    ? `This ${secret} is for another address at ${host}: the settings file was changed outside Postern. It was not sent.`
    : `This ${secret} is for ${was}, and the settings file, changed outside Postern, now says ${host}. It was not sent there.`;
}
