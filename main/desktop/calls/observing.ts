import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import type { Refusal } from '../../mcp/mcp-fetch.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * Runs one operation on an integration and keeps what it says of the integration's state. An answer clears what was
 * wrong before; its own error is passed on.
 */
export async function observing<Result>(
  { board, ports }: Pick<DesktopContext, 'board' | 'ports'>,
  { id }: Integration,
  work: (onRefusal: (refusal: Refusal) => void) => Promise<Result>,
): Promise<Result> {
  let refusal: Refusal | undefined;
  try {
    const result = await work((demand) => (refusal = demand));
    board.answered(id);
    return result;
  } catch (error) {
    if (error instanceof PosternError) {
      // What passes is the scheduler's: it tries again, and knows when it is over.
      if (error.code === 'REFRESH_TRANSIENT') board.awake();
      else board.observe(id, error, refusal);
      ports.log.write('operation-failed', { code: error.code, stage: error.stage, integration: id });
    }
    throw error;
  }
}
