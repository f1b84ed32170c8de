import { askAboutLocal } from '../../host/gateway/gateway-holder.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { allowCommand, hasValues, mayRun, readCommand, setLifetime } from '../../engine/kept/local-consent.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { askForYes } from '../asking/terminal-prompts.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { requireLocal } from '../opening/open-command-profile.ts';
import { optionValue } from '../options/parse-arguments.ts';
import { describeCommand } from '../output/describe-command.ts';
import { describeRemote, remoteFields } from '../output/describe-remote.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text/printable.ts';

/**
 * `postern local start ID`: lets a server on this computer run; what nobody has allowed yet is shown and asked about. Errors:
 * NOT_FOUND, LOCAL_CONSENT where values are missing, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function start(context: CommandContext): Promise<Answer> {
  const word = optionValue(context.args, 'lifetime');
  const lifetime = word === 'shared' ? word : undefined;
  const { ports, folder } = await openCommandEngine(context);
  // First of all: it may seal the command that is allowed here.
  const vault = await ports.vault();
  const integration = await findIntegration(ports.store, context.args.positionals[0] ?? '', keysIn(ports.vault));
  const { id, name, command } = requireLocal(integration, context);
  const kept = await readCommand(vault, id, command);
  if (!mayRun(command, kept)) {
    const values = kept?.values ?? {};
    // Those went with the command that they were for: only who knows them can give them again.
    if (!hasValues(command, values))
      throw new PosternError('LOCAL_CONSENT', { stage: 'local', remedy: { kind: 'connect-command' } });
    const runs = [command.command, ...command.arguments];
    await askForYes(context, {
      event: { command, ...remoteFields(runs) },
      lines: [
        ...describeRemote(runs).map(context.output.advise),
        ...describeCommand({ ...command, lifetime: word === undefined ? command.lifetime : lifetime }, values),
      ],
    });
    await allowCommand({ vault, store: ports.store }, { id, command }, values);
  }
  if (word !== undefined) await setLifetime(ports, id, word === 'shared');
  const told = await askAboutLocal(folder, { id, act: 'start' });
  return {
    fields: { state: told?.state ?? 'off' },
    text: `“${printableLine(name)}” runs as soon as something uses it.`,
  };
}
