import { getPrompt } from '../../integration/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { UsageError } from '../options/usage-error.ts';
import { describeResult } from '../output/describe-result.ts';
import type { Answer } from '../output/output.ts';

/** `postern prompt ID NAME [KEY=VALUE…]`: a prompt, filled in. Errors: USAGE, else as `tools`. */
export async function prompt(context: CommandContext): Promise<Answer> {
  const [, name = '', ...words] = context.args.positionals;
  const given = words.map(readWord);
  const { ports, integration, access } = await useIntegration(context);
  const asked = { name, arguments: Object.fromEntries(given) };
  const messages = await getPrompt(ports, integration, asked, access);
  context.steps.clear();
  const text = messages.map(({ role, content }) => `${role}:\n${describeResult({ content: [content] }) ?? ''}`);
  return { fields: { messages }, text: context.output.json || text.length === 0 ? undefined : text.join('\n\n') };
}

function readWord(word: string): readonly [name: string, value: string] {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError('Each argument of a prompt is a name and a value, as city=Paris.', 'prompt');
  return [word.slice(0, at), word.slice(at + 1)];
}
