import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { statusWords } from '../../../shared/status-words.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { requireAllowed } from '../../integration/kept/local-consent.ts';
import type { EndedStatus } from '../../kept-status.ts';
import { PosternError } from '../../postern-error.ts';
import { toCommandError } from '../output/command-error.ts';
import { describeLocalRemedy } from '../output/describe-local-remedy.ts';
import { type Situation, writeUse } from '../output/write-command.ts';
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

/**
 * One for each: its command is there and is what was allowed, and whoever runs it (`ended`) still starts it. Starts
 * nothing. Never rejects for what it finds.
 */
export async function checkLocal(
  list: readonly Integration[],
  { local, vault, store }: Pick<EnginePorts, 'local' | 'vault' | 'store'>,
  ended: ReadonlyMap<string, EndedStatus>,
  at: Situation,
): Promise<readonly LocalCheck[]> {
  const checks = list.map(async ({ id, name, command }): Promise<LocalCheck | undefined> => {
    if (!command) return undefined;
    const shown = printableLine(name);
    try {
      await local.resolve(command.path, command.folder);
      await requireAllowed({ vault, store }, { id, command });
      const status = ended.get(id);
      if (status) {
        const message = `${shown}: ${statusWords[status].toLowerCase()}${status === 'failing' ? ', it ended too often' : ''}.`;
        return { name: 'local', ok: false, id, message, nextStep: stepAfter(status, { ...at, name }) };
      }
      return { name: 'local', ok: true, id, message: `${shown}: its command is there, and is what you allowed.` };
    } catch (error) {
      if (!(error instanceof PosternError)) throw error;
      const { code, message, nextStep } = toCommandError(error, { ...at, name });
      return { name: 'local', ok: false, id, message: `${shown}: ${message}`, code, nextStep };
    }
  });
  return (await Promise.all(checks)).flatMap((check) => check ?? []);
}

function stepAfter(status: EndedStatus, at: Situation & { readonly name: string }): string {
  const start = describeLocalRemedy('start-server', at);
  return status === 'stopped' ? start : `See what it has written: \`${writeUse('logs', at.name)}\`. ${start}`;
}
