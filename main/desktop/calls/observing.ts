import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * Runs one operation on an integration and keeps what it says of the integration's state. An answer clears what was
 * wrong before; its own error is passed on.
 */
export async function observing<Result>(
  { board, ports }: Pick<DesktopContext, 'board' | 'ports'>,
  integration: Integration,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    board.answered(integration);
    return result;
  } catch (error) {
    if (error instanceof PosternError) {
      // A fault that passes is the scheduler's business: it tries again, and knows when it is over.
      // By its code: what is shown of it is all that hangs on it.
      if (error.code === 'REFRESH_TRANSIENT') board.awake();
      else board.observe(integration, error);
      ports.log.write('operation-failed', { code: error.code, stage: error.stage, integration: integration.id });
    }
    throw error;
  }
}
