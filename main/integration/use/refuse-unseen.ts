import type { Integration } from '../../../shared/integration.ts';
import { holdsChanges } from '../../../shared/tool-permissions.ts';
import { withChangedToolRule } from '../../../shared/changed-tool-rule.ts';
import { seeTool } from '../../mcp/client/seen-tool.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { noteListed } from '../kept/note-tools.ts';
import type { PinPorts } from '../kept/note-tools.ts';
import { isUnseen } from '../kept/tool-pins.ts';

/** Whether such tools are held, for this server or for all. Errors: CFG_*. */
export async function holdsUnseen(
  { store }: Pick<EnginePorts, 'store'>,
  { permissions }: Pick<Integration, 'permissions'>,
): Promise<boolean> {
  return holdsChanges(withChangedToolRule(permissions, (await store.settings()).changedTools));
}

/**
 * Refuses a tool that is new, or says something else of itself than what the person has looked at. `listed`: all that the
 * server lists now. Errors: TOOL_CHANGED.
 */
export async function refuseUnseen(
  ports: PinPorts,
  integration: Integration,
  listed: readonly Tool[],
  name: string,
): Promise<void> {
  const pins = await noteListed(ports, integration, listed);
  if (listed.some((tool) => tool.name === name && isUnseen(pins, seeTool(tool))))
    throw new PosternError('TOOL_CHANGED', { stage: 'connection', detail: { tool: displayText(name) } });
}
