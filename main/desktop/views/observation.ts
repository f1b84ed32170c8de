import type { IntegrationView } from '../../../shared/integration-view.ts';
import type { Trace } from '../../integration/trace/trace.ts';
import type { Refusal } from '../../mcp/mcp-fetch.ts';
import type { PosternError } from '../../postern-error.ts';

export type Busy = NonNullable<IntegrationView['busy']>;

/** What this run has seen of an integration; what lasts stands in the list. */
export interface Observation {
  readonly error?: PosternError | undefined;
  /** What the server demanded of the credential that it refused: the next sign-in answers it. */
  readonly refusal?: Refusal | undefined;
  readonly busy?: Busy | undefined;
  readonly trace?: Trace | undefined;
}
