import { listTools } from '../../integration/use-server.ts';
import type { CommandContext } from '../command-context.ts';
import { describeTool } from '../describe-tool.ts';
import type { Answer } from '../output.ts';
import { useIntegration } from '../use-integration.ts';

/** `postern tools ID`: what a server can do. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED, NOT_FOUND. */
export async function tools(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const found = await listTools(ports, integration, access);
  context.steps.clear();
  if (found.length === 0) context.output.say('This server offers no tools.');
  return { fields: { tools: found }, text: found.length === 0 ? undefined : found.map(describeTool).join('\n\n') };
}
