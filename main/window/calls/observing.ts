import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { isFailing } from '../../engine/kept/kept-failure.ts';
import { isOutcome, PosternError, remedyOf } from '../../errors/postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * Runs one operation on an integration and shows what it says of the integration's state. An answer clears what was
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
      if (isOfRenewal(error)) board.awake();
      // A page that was left before its answer says nothing of the server.
      else if (isOutcome(error))
        board.observe(isFailing(error) ? await asKept(ports, integration) : integration, error);
      ports.log.write('operation-failed', { code: error.code, stage: error.stage, integration: integration.id });
    }
    throw error;
  }
}

/** It is tried again, though a user may have to sign in in the end. */
function isOfRenewal(error: PosternError): boolean {
  return remedyOf(error).kind === 'await-renewal' || isAbout(error, 'renewal-refused');
}

async function asKept({ store }: DesktopContext['ports'], integration: Integration): Promise<Integration> {
  return (await store.read(integration.id).catch(() => undefined)) ?? integration;
}
