import type { IncomingHttpHeaders } from 'node:http';

/** Fields by which browsers say that they look at a page before anybody has gone there. */
const lookingAhead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a browser goes to this page in a tab or window of its own, as far as it says so (W3C Fetch Metadata Request
 * Headers): no picture, frame, script or fetch of another page, and no look ahead. Browsers that say it say it whole; a
 * mode alone is Node's own fetch, in a script.
 */
export function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const saysMore = site !== undefined || destination !== undefined;
  if (saysMore && ((mode ?? 'navigate') !== 'navigate' || (destination ?? 'document') !== 'document')) return false;
  return lookingAhead.every((name) => headers[name] === undefined);
}
