import type { CatalogueDetail } from './catalogue-entry.ts';

/**
 * The command that connects a server with `more`. `detail.connect`: its address and the options that it was reached
 * with, which the command line fills in; without them the same command may end elsewhere.
 */
export function connectStep(detail: CatalogueDetail, more?: string): string {
  return `\`postern connect ${detail['connect'] ?? 'URL'}${more === undefined ? '' : ` ${more}`}\``;
}
