import type { Integration } from '../shared/integration.ts';
import { displayText } from './address/display-text.ts';
import { PosternError } from './postern-error.ts';

/** Candidates that an error names. */
const mostCandidates = 5;

/** Several servers are meant by one reference. */
export class AmbiguousReference extends PosternError {
  readonly candidates: readonly Pick<Integration, 'id' | 'name'>[];

  constructor(candidates: readonly Pick<Integration, 'id' | 'name'>[]) {
    const shown = candidates.slice(0, mostCandidates).map(({ id, name }) => `“${displayText(name, 40)}” (${id})`);
    const more = candidates.length - shown.length;
    const detail = {
      count: candidates.length,
      candidates: [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', '),
    };
    super('NOT_FOUND', { stage: 'app', detail });
    this.candidates = candidates;
  }
}
