import type { DiscoveryContext, DiscoveryStep } from './discovery-context.ts';
import { fetchResourceMetadataAt } from './protected-resource-metadata.ts';
import type { EarlyAttempt } from './protected-resource-metadata.ts';

/**
 * Asks for one form of the metadata before it is known whether it will be needed. Nothing of it is reported, and no
 * failure of it counts, until somebody wants the answer.
 */
export function prefetchResourceMetadata(context: DiscoveryContext, url: string): EarlyAttempt {
  let report: ((step: DiscoveryStep) => void) | undefined;
  const unreported: DiscoveryStep[] = [];
  const quiet = { ...context, report: (step: DiscoveryStep) => (report ? report(step) : void unreported.push(step)) };
  const attempt = fetchResourceMetadataAt(quiet, url);
  attempt.catch(() => {});
  return () => {
    report = context.report;
    for (const step of unreported.splice(0)) report(step);
    return attempt;
  };
}
