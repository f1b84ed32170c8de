import type { Integration } from '../../../shared/integration.ts';
import type { ToolPermissions } from '../../../shared/tool-permissions.ts';
import type { UnseenTools } from './seen-tools.ts';

/** The server that the calls go to. */
export interface PermittedServer {
  readonly integration: Integration;
  /** What the person has chosen for it, or for all servers. */
  readonly permissions: ToolPermissions | undefined;
  /** Whether the server says that this tool changes nothing, as far as that is known. */
  readonly readsOnly: (tool: string) => Promise<boolean>;
  /** Tools that the person has not looked at as they are now. Never rejects. */
  readonly unseen: () => Promise<UnseenTools>;
  /** Keeps what the person has chosen. Errors: CFG_*. */
  readonly setPermissions: (
    change: (before: ToolPermissions | undefined) => ToolPermissions | undefined,
  ) => Promise<void>;
}
