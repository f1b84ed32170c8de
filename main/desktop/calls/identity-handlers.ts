import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { whoToolsOf } from '../../../shared/known-servers/who-tools.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Person } from '../../../shared/person.ts';
import { usesApiKey } from '../../integration/kept/api-key.ts';
import { integrationLock } from '../../integration/kept/integration-lock.ts';
import { loadHeaderValue } from '../../integration/kept/stored-secrets.ts';
import { callTool, listTools } from '../../integration/use/use-server.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';
import { readPerson } from '../views/read-person.ts';
import { observing } from './observing.ts';

type IdentityHandlers = Pick<IpcHandlers, 'integration:icon' | 'integration:askWho'>;

/** What a server looks like, and whom it takes the person for. */
export function identityHandlers(context: DesktopContext): IdentityHandlers {
  const { ports, board, icons, keptServers } = context;

  /** Asks the one tool of the table that the server lists. */
  async function ask(integration: Integration): Promise<Person | undefined> {
    const access = { signal: new AbortController().signal, keptServers };
    const listed = await listTools(ports, integration, access);
    const tool = whoToolsOf(integration.url).find((known) =>
      listed.some((each) => each.name === known.name && mayBeCalled(each, known.of !== undefined)),
    );
    if (!tool) return undefined;
    const call = { name: tool.name, arguments: tool.arguments ?? {} };
    return readPerson(await callTool(ports, integration, call, access));
  }

  /** The key that the server is asked with: another key may be another person's. */
  async function keyOf(integration: Integration): Promise<string | undefined> {
    if (!usesApiKey(integration)) return undefined;
    return (await loadHeaderValue(await ports.vault(), integration.id, integration.url))?.value.reveal();
  }

  return {
    'integration:icon': async ({ id, mark }) => {
      const { url } = await readServer(ports, id);
      return { data: (await icons.read(url, mark)) ?? null };
    },
    'integration:askWho': async ({ id }) => {
      const integration = await readServer(ports, id);
      const key = await keyOf(integration);
      const person = await board.during(id, 'calling', () => observing(context, integration, () => ask(integration)));
      if (!person) return { isKnown: false };
      // Of the sign-in or the key that was asked with, and of no later one.
      const isSame = ({ signedInAt }: Integration): boolean => signedInAt === integration.signedInAt;
      await ports.locks.hold(integrationLock(id), async () => {
        if ((await keyOf(integration)) === key)
          await ports.store.update(id, (kept) =>
            isSame(kept) ? { ...kept, person: { ...kept.person, ...person } } : kept,
          );
      });
      context.changed('integrations');
      return { isKnown: true };
    },
  };
}

/** Where only its name speaks for it, the server has to say that it changes nothing; none may say that it destroys. */
function mayBeCalled({ annotations, inputSchema }: Tool, isOfService: boolean): boolean {
  if (annotations?.destructiveHint === true && annotations.readOnlyHint !== true) return false;
  return isOfService || (annotations?.readOnlyHint === true && (inputSchema.required?.length ?? 0) === 0);
}
