import type { Tool } from '../../integration/use-server.ts';
import { listTools } from '../../integration/use-server.ts';
import type { CommandContext } from '../command-context.ts';
import type { Answer } from '../output.ts';
import { printableLine } from '../printable.ts';
import { useIntegration } from '../use-integration.ts';

/** `postern tools ID`: what a server can do. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED, NOT_FOUND. */
export async function tools(context: CommandContext): Promise<Answer> {
  const { ports, integration, access } = await useIntegration(context);
  const found = await listTools(ports, integration, access);
  context.steps.clear();
  if (found.length === 0) context.output.say('This server offers no tools.');
  return { fields: { tools: found }, text: found.length === 0 ? undefined : found.map(describeTool).join('\n\n') };
}

function describeTool({ name, title, description, inputSchema }: Tool): string {
  const shownTitle = title === undefined || title === name ? '' : `  ${printableLine(title)}`;
  return [
    `${printableLine(name, 128)}(${describeParameters(inputSchema)})${shownTitle}`,
    ...(description ? wrap(printableLine(description, 600), 96).map((line) => `    ${line}`) : []),
  ].join('\n');
}

/** `text: string, pinned?: boolean`, from a JSON schema whose shape is the server's affair. */
function describeParameters({ properties, required }: Tool['inputSchema']): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {})
    .map(([name, schema]) => `${printableLine(name, 40)}${needed.includes(name) ? '' : '?'}: ${describeType(schema)}`)
    .join(', ');
}

function describeType(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  if ('enum' in schema && Array.isArray(schema.enum)) {
    return printableLine(schema.enum.map((value) => JSON.stringify(value)).join('|'), 60);
  }
  if (!('type' in schema)) return 'any';
  return printableLine([schema.type].flat().join('|'), 40);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
