import { acceptTools, noteListed } from '../../integration/kept/note-tools.ts';
import { listTools } from '../../integration/use/use-server.ts';
import { toolChanges } from '../../mcp/client/tool-difference.ts';
import { pinnedName } from '../../mcp/client/seen-tool.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { hasOption } from '../options/option-values.ts';
import { describeChanges } from '../output/describe-changes.ts';
import type { Answer } from '../output/output.ts';

/**
 * `postern review ID`: what tools of a server say otherwise than when a person looked at them last; with `--accept` that
 * is what they looked at. Errors: as `tools`, CFG_*.
 */
export async function review(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  let isWhole = true;
  const listed = await listTools(ports, integration, { ...access, onPartial: () => (isWhole = false) });
  context.steps.clear();
  const pins = await noteListed(ports, integration, listed, isWhole);
  const names = new Set(listed.map(({ name }) => pinnedName(name)));
  const gone = isWhole ? pins.tools.flatMap(({ name }) => (names.has(name) ? [] : [name])) : [];
  const changed = toolChanges(pins);
  const isAccepted = hasOption(context.args, 'accept');
  // Those beyond what is shown stay as they are.
  if (isAccepted) await acceptTools(ports, integration, pins.changed.slice(0, changed.length), gone);
  const { id, name } = integration;
  return {
    fields: {
      integration: { id, name },
      changed,
      gone,
      more: pins.changed.length - changed.length,
      accepted: isAccepted,
    },
    text: describeChanges({
      name,
      changed,
      gone,
      more: pins.changed.length - changed.length,
      isAccepted,
      advise: context.output.advise,
    }),
  };
}
