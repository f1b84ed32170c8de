import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { LocalCommand } from '../../../shared/local-command.ts';
import { connectLocal } from '../../integration/connect/connect-local.ts';
import { findLocalBefore } from '../../integration/connect/find-local-before.ts';
import { readCommand, saveCommand } from '../../integration/kept/local-consent.ts';
import type { LocalValues } from '../../integration/kept/local-consent.ts';
import { PosternError } from '../../postern-error.ts';
import { remoteOf } from '../../programs/import/remote-of.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';
import { showOutput } from '../views/show-output.ts';

type LocalHandlers = Pick<
  IpcHandlers,
  'local:prepare' | 'local:connect' | 'local:cancel' | 'local:status' | 'local:start' | 'local:stop'
>;

interface Prepared {
  readonly name: string;
  readonly command: LocalCommand;
  readonly values: LocalValues;
}

/** Commands that were looked at and not connected. */
const mostPrepared = 20;

/**
 * Servers on this computer. That something is started is asked outside of any page: a script in the window can make a
 * call, and not answer that.
 */
export function localHandlers({ ports, ask, calls, board }: DesktopContext): LocalHandlers {
  const { local } = ports;
  const prepared = new Map<string, Prepared>();

  async function read(id: string) {
    const integration = await readServer(ports, id);
    if (!integration.command) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    const { command } = integration;
    const vault = await ports.vault();
    return { integration, command, vault, kept: await readCommand(vault, id, command) };
  }

  return {
    'local:prepare': async ({ name, words, folder: typed, variables }) => {
      await findLocalBefore(ports, name);
      const placed = await local.prepare(words, typed);
      const command: LocalCommand = { ...placed, variables: variables.map((variable) => variable.name) };
      const values = Object.fromEntries(variables.map((variable) => [variable.name, variable.value]));
      const token = crypto.randomUUID();
      prepared.set(token, { name, command, values });
      for (const old of [...prepared.keys()].slice(0, -mostPrepared)) prepared.delete(old);
      const remote = remoteOf(words);
      return { token, command, ...(remote && { remote }) };
    },
    'local:connect': async ({ token, call }) => {
      const chosen = prepared.get(token);
      if (!chosen) throw new PosternError('IPC_SCHEMA', { stage: 'app' });
      if (!(await ask(windowWords.ask.runCommand(chosen.name, chosen.command)))) return null;
      const again = await findLocalBefore(ports, chosen.name);
      const request = { ...chosen, id: again?.id ?? crypto.randomUUID(), again };
      const { integration, tools } = await calls.run(call, (signal) => connectLocal(ports, request, signal));
      prepared.delete(token);
      return { id: integration.id, tools: tools.length };
    },
    'local:cancel': async ({ call }) => {
      calls.stop(call);
      return null;
    },
    'local:status': async ({ id, since }) => {
      const { kept } = await read(id);
      const { text, total } = local.output(id, since);
      const { state, processes } = local.status(id);
      return {
        state,
        processes: [...processes],
        output: showOutput(text),
        total,
        isAllowed: kept?.isAllowed === true,
      };
    },
    'local:start': async ({ id }) => {
      const { integration, command, vault, kept } = await read(id);
      if (!kept?.isAllowed) {
        const values = kept?.values ?? {};
        if (command.variables.some((variable) => values[variable] === undefined))
          throw new PosternError('LOCAL_CONSENT', { stage: 'local', remedy: { kind: 'connect-command' } });
        if (!(await ask(windowWords.ask.runCommand(integration.name, command)))) return null;
        await saveCommand(vault, id, command, { values, isAllowed: true });
      }
      local.allow(id);
      board.forget(id);
      return { id };
    },
    'local:stop': async ({ id }) => {
      await read(id);
      await local.stop(id);
      return null;
    },
  };
}
