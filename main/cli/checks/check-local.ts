import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { requireAllowed } from '../../integration/kept/local-consent.ts';
import { PosternError } from '../../postern-error.ts';
import { toCommandError } from '../output/command-error.ts';
import type { Situation } from '../output/write-command.ts';
import { printableLine } from '../text/printable.ts';

/** Whether a server on this computer could be started. */
export interface LocalCheck {
  readonly name: 'local';
  readonly ok: boolean;
  /** Of the integration. */
  readonly id: string;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly nextStep?: string;
}

/** One for each: its command is there and is what was allowed. Starts nothing. Never rejects for what it finds. */
export async function checkLocal(
  list: readonly Integration[],
  { local, vault, store }: Pick<EnginePorts, 'local' | 'vault' | 'store'>,
  at: Situation,
): Promise<readonly LocalCheck[]> {
  const checks = list.map(async ({ id, name, command }): Promise<LocalCheck | undefined> => {
    if (!command) return undefined;
    const shown = printableLine(name);
    try {
      await local.resolve(command.path, command.folder);
      await requireAllowed({ vault, store }, { id, command });
      return { name: 'local', ok: true, id, message: `${shown}: its command is there, and is what you allowed.` };
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      const { code, message, nextStep } = toCommandError(error, { ...at, name });
      return { name: 'local', ok: false, id, message: `${shown}: ${message}`, code, nextStep };
    }
  });
  return (await Promise.all(checks)).flatMap((check) => check ?? []);
}
