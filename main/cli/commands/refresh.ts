import { readServer } from '../../operations/read-server.ts';
import { refreshServer } from '../../operations/servers.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import { describeMoment, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';

/** `postern refresh ID`: asks for a new access token now. Errors: SIGN_IN_REQUIRED, REFRESH_*, NOT_FOUND. */
export async function refresh(context: CommandContext): Promise<Answer> {
  if (context.args.options.has('all')) return await (await import('./refresh-all.ts')).refreshAll(context);
  const { ports, integration, access, history } = await useIntegration(context);
  const { id } = integration;
  const scope = { ...terminalSurface(context), ports, access, history };
  await refreshServer({ ...scope, during: (_server, work) => work() }, { id });
  const refreshed = await readServer(ports, id);
  context.steps.clear();
  const { expiresAt, name } = refreshed;
  const end = expiresAt === undefined ? 'for an unknown time' : `until ${describeMoment(expiresAt, Date.now())}`;
  return {
    fields: { integration: summarise(refreshed) },
    text: `“${printableLine(name)}” has new access, ${end}.`,
  };
}
