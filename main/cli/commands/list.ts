import type { Integration } from '../../../shared/integration.ts';
import type { EndedStatus } from '../../stored-status.ts';
import { sealedEntry } from '../../secret.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import type { CommandContext } from '../command-context.ts';
import { readEndedStatuses } from '../opening/open-command-profile.ts';
import { describeAccount, describeStatus, describeVault, summarize } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { fitColumns, printableLine } from '../text.ts';

/** `postern list`. Loads no network, OAuth or MCP code. */
export async function list(context: CommandContext): Promise<CommandResult> {
  const { store, folder } = await context.openProfile();
  const vault = peekKeyringKind(folder) ?? 'keychain';
  if (vault !== 'keychain') context.output.info(describeVault(vault));
  const integrations = await store.list();
  const ended = integrations.some(({ command }) => command)
    ? await readEndedStatuses(folder)
    : new Map<string, never>();
  if (integrations.length === 0) {
    context.output.info(
      context.output.advise('No servers yet. Connect one with: postern connect https://mcp.example.com/mcp'),
    );
  }
  if (!context.output.json)
    return {
      fields: {},
      text: integrations.length === 0 ? undefined : describeList(integrations, ended, context.output.columns),
    };
  return {
    fields: {
      integrations: integrations.map((integration) => summarize(integration, ended.get(integration.id))),
      vault,
    },
  };
}

/** The address, or the command of a local server. */
function addressOrCommand(integration: Integration): string {
  const { url, command } = sealedEntry(integration);
  return command ? [command.command, ...command.arguments].join(' ') : url;
}

function describeList(
  integrations: readonly Integration[],
  ended: ReadonlyMap<string, EndedStatus>,
  columns: number | undefined,
): string {
  const rows = [
    ['NAME', 'STATUS', 'ACCOUNT', 'ADDRESS'],
    ...integrations.map((integration) => [
      printableLine(integration.name),
      describeStatus(integration, Date.now(), ended.get(integration.id)),
      printableLine(describeAccount(integration) ?? '–'),
      printableLine(addressOrCommand(integration), 200),
    ]),
  ];
  return fitColumns(rows, columns);
}

/** `postern export`: the list for another computer, without secrets. Errors: CFG_*. */
export async function exportToOutput(context: CommandContext): Promise<CommandResult> {
  const { store } = await context.openProfile();
  let text = '';
  const saveList = async (saved: string): Promise<boolean> => {
    text = saved;
    return true;
  };
  const { exportList } = await import('../../operations/lists.ts');
  const { leftOut } = await exportList({ ports: { store }, collections: store.collections, saveList }, {});
  if (leftOut.length > 0)
    context.output.info(`Left out, because they run on this computer: ${printableLine(leftOut.join(', '), 400)}.`);
  return { fields: { list: JSON.parse(text) as unknown, leftOut }, text: text.trimEnd() };
}
