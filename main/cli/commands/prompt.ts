import { getPrompt, listPrompts } from '../../operations/use.ts';
import { readTexts } from '../call-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { failWithMeant, useIntegration } from '../opening/open-command-engine.ts';
import { sayUnusable, unusableField } from '../output/describe-capabilities.ts';
import { answerWith, describeResult, piecesOf, saveTarget, unchangedPieces } from '../output/describe-result.ts';
import type { Answer } from '../output/output.ts';

/** `postern prompt ID NAME [KEY=VALUE…]`: a prompt, filled in. Errors: USAGE, OUTPUT_FAILED, else as `tools`. */
export async function prompt(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const [, name = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const given = await readTexts(words, context);
  const used = await useIntegration(context);
  const { found: messages, unusable } = await getPrompt(used, { name, arguments: given }).catch((error: unknown) =>
    failWithMeant(name, error, context.signal, async (signal) =>
      (await listPrompts({ ...used, access: { signal } })).found.map((each) => each.name),
    ),
  );
  context.steps.clear();
  sayUnusable(output, used.integration.name, unusable);
  if (target) {
    const content = messages.map((message) => message.content);
    return await answerWith(context, { content }, { name, target }, (left, files) => ({
      messages: messages.map((message, index) => ({ ...message, content: left[index] })),
      ...files,
      ...unusableField(unusable),
    }));
  }
  if (output.json || messages.length === 0) return { fields: { messages, ...unusableField(unusable) } };
  if (output.isShown) {
    const text = messages.map(({ role, content }) => `${role}:\n${describeResult({ content: [content] }) ?? ''}`);
    return { fields: { messages, ...unusableField(unusable) }, text: text.join('\n\n') };
  }
  const unchanged = messages.flatMap(({ role, content }, index) => {
    const [text = ''] = content.type === 'text' ? unchangedPieces(piecesOf({ content: [content] })) : [];
    return [`${index > 0 ? '\n\n' : ''}${role}:\n`, text];
  });
  return { fields: { messages, ...unusableField(unusable) }, unchanged };
}
