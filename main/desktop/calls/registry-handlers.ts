import { officialRegistry } from '../../../shared/choices.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { PosternError } from '../../postern-error.ts';
import { openRegistry } from '../../registry/open-registry.ts';
import type { DesktopContext } from '../desktop-context.ts';

type RegistryHandlers = Pick<IpcHandlers, 'registry:search' | 'registry:stop'>;

/** Asks the registry of the settings, and none where the person has not turned that on. Errors: REGISTRY_*, URL_*. */
export function registryHandlers({
  ports,
  registry,
  calls,
}: Pick<DesktopContext, 'ports' | 'registry' | 'calls'>): RegistryHandlers {
  return {
    'registry:search': async ({ call, words }) => {
      const { searchesRegistry = false, registry: address = officialRegistry } = await ports.store.settings();
      if (!searchesRegistry) throw new PosternError('REGISTRY_OFF', { stage: 'app' });
      return await calls.run(call, (signal) => registry.search(openRegistry(address), words, signal));
    },
    'registry:stop': async ({ call }) => {
      calls.stop(call);
      return null;
    },
  };
}
