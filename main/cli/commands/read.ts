import { readResource } from '../../integration/use/browse-server.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/use-integration.ts';
import { fillTemplate } from '../arguments/fill-template.ts';
import { readTexts } from '../arguments/argument-words.ts';
import { answerWith } from '../output/answer-result.ts';
import type { Answer } from '../output/output.ts';
import { saveTarget } from '../output/save-result.ts';

/** `postern read ID URI [KEY=VALUE…]`: one resource of a server. Errors: USAGE, OUTPUT_FAILED, else as `tools`. */
export async function read(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [, address = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const uri = fillTemplate(address, await readTexts(words, context));
  const { ports, integration, access } = await useIntegration(context);
  const contents = await readResource(ports, integration, uri, access);
  context.steps.clear();
  if (contents.length === 0) context.output.say('There is nothing in it.');
  const content = contents.map((resource) => ({ type: 'resource' as const, resource }));
  return await answerWith(context, { content }, { name: nameIn(uri), target }, (left, files) => ({
    contents: left.flatMap((block) => ('resource' in block ? [{ ...block.resource, ...fileOf(block) }] : [])),
    ...files,
  }));
}

function fileOf(block: object): { readonly file?: unknown } {
  return 'file' in block ? { file: block.file } : {};
}

/** What stands last in an address, for the files of `--output`. */
function nameIn(uri: string): string {
  return /([^/?#]+)\/?(?:[?#].*)?$/su.exec(uri)?.[1] ?? uri;
}
