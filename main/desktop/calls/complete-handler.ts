import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { completeArgument } from '../../integration/use/browse-server.ts';
import { completion } from '../../mcp/use-bounds.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';
import { isPlainName } from '../views/display-json.ts';

/** What a server offers while somebody types (MCP 2025-11-25, completion). Whoever types on wants no earlier answer. */
export function completeHandler({
  ports,
  keptServers,
}: Pick<DesktopContext, 'ports' | 'keptServers'>): Pick<IpcHandlers, 'integration:complete'> {
  let latest = new AbortController();
  return {
    'integration:complete': async ({ id, of, argument, given }) => {
      latest.abort();
      latest = new AbortController();
      const { signal: left } = latest;
      const signal = AbortSignal.any([left, AbortSignal.timeout(completion.patience)]);
      const ref =
        'prompt' in of
          ? ({ type: 'ref/prompt', name: of.prompt } as const)
          : ({ type: 'ref/resource', uri: of.template } as const);
      const asked = { ref, argument, given };
      const values = await completeArgument(ports, await readServer(ports, id), asked, { signal, keptServers });
      // At most a hundred, as the library sees to. One that cannot be shown as it is could not be told from another.
      return { values: values.filter((value) => isPlainName(value, completion.length)) };
    },
  };
}
