import type { Integration } from '../../../shared/integration.ts';
import type { EndedStatus } from '../../kept-status.ts';
import { sealedEntry } from '../../secret.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import type { CommandContext } from '../command-context.ts';
import { endedIn, openCommandProfile } from '../opening/open-command-profile.ts';
import { describeAccount, describeRestingState, describeVault, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { fitColumns, printableLine } from '../text.ts';

/** `postern list`: loads neither network, OAuth nor MCP code. */
export async function list(context: CommandContext): Promise<Answer> {
  const { store, folder } = await openCommandProfile(context);
  const sealedWith = glanceAtKeyring(folder) ?? 'keychain';
  if (sealedWith !== 'keychain') context.output.say(describeVault(sealedWith));
  const integrations = await store.list();
  const ended = integrations.some(({ command }) => command) ? await endedIn(folder) : new Map<string, never>();
  if (integrations.length === 0) {
    context.output.say(
      context.output.advise('No server is connected yet. Start with: postern connect https://mcp.example.com/mcp'),
    );
  }
  return {
    fields: {
      integrations: integrations.map((integration) => summarise(integration, ended.get(integration.id))),
      vault: sealedWith,
    },
    text: integrations.length === 0 ? undefined : describeList(integrations, ended, context.output.columns),
  };
}

/** Its address, or what is started. */
function placeOf(integration: Integration): string {
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
      describeRestingState(integration, Date.now(), ended.get(integration.id)),
      printableLine(describeAccount(integration) ?? '–'),
      printableLine(placeOf(integration), 200),
    ]),
  ];
  return fitColumns(rows, columns);
}

/** `postern export`: the list for another computer, addresses and choices without any secret. Errors: CFG_*. */
export async function exportToOutput(context: CommandContext): Promise<Answer> {
  const { store } = await openCommandProfile(context);
  let text = '';
  const saveList = async (saved: string): Promise<boolean> => {
    text = saved;
    return true;
  };
  const { exportList } = await import('../../operations/lists.ts');
  const { leftOut } = await exportList({ ports: { store }, collections: store.collections, saveList }, {});
  if (leftOut.length > 0)
    context.output.say(`Left out, since they run on this computer: ${printableLine(leftOut.join(', '), 400)}.`);
  return { fields: { list: JSON.parse(text) as unknown, leftOut }, text: text.trimEnd() };
}
