import { timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import type { ResourceContents } from '../../engine/use/browse-server.ts';
import {
  followResource,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
  resourceAddress,
  UnfitValues,
} from '../../operations/use.ts';
import type { Found, UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { useIntegration } from '../opening/open-command-engine.ts';
import type { UsedIntegration } from '../opening/open-command-engine.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import {
  describePrompt,
  describeResource,
  describeTool,
  sayCut,
  sayUnusable,
  unusableField,
} from '../output/describe-capabilities.ts';
import {
  answerWith,
  describeResult,
  endsLine,
  piecesOf,
  saveTarget,
  unchangedPieces,
} from '../output/describe-result.ts';
import type { SaveTarget } from '../output/describe-result.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text.ts';
import { readTexts } from './call-arguments.ts';

/** What a command prints of a listing: its last line for programs, and a text for each entry. */
interface Listed {
  readonly fields: Answer['fields'];
  readonly texts: readonly string[];
}

/**
 * `postern tools ID`: what a server can do. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED, NOT_FOUND.
 */
export async function tools(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'tools', listTools, (found) => ({
    fields: { tools: found },
    texts: found.map((tool) => describeTool(tool, columns)),
  }));
}

/** `postern resources ID`: what a server has to read, and the templates of more. Errors: as `tools`. */
export async function resources(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'resources', listResources, (found) => ({
    fields: { resources: found.resources, templates: found.templates },
    texts: [...found.resources, ...found.templates].map((each) => describeResource(each, columns)),
  }));
}

/** `postern prompts ID`: the prompts of a server with what they take. Errors: as `tools`. */
export async function prompts(context: CommandContext): Promise<Answer> {
  const { columns } = context.output;
  return await list(context, 'prompts', listPrompts, (found) => ({
    fields: { prompts: found },
    texts: found.map((each) => describePrompt(each, columns)),
  }));
}

async function list<Value>(
  context: CommandContext,
  what: 'tools' | 'resources' | 'prompts',
  ask: (scope: UseScope) => Promise<Found<Value>>,
  describe: (found: Value) => Listed,
): Promise<Answer> {
  const { output, steps } = context;
  const used = await useIntegration(context);
  const { found, isPartial, unusable } = await ask(used);
  steps.clear();
  const { fields, texts } = describe(found);
  if (texts.length === 0 && !isPartial && unusable.length === 0) output.say(`This server offers no ${what}.`);
  if (isPartial) sayCut(output, what);
  sayUnusable(output, used.integration.name, unusable);
  return {
    fields: { ...fields, ...unusableField(unusable) },
    text: texts.length === 0 ? undefined : texts.join('\n\n'),
  };
}

/**
 * `postern read ID URI [KEY=VALUE…]`: one resource of a server. Errors: USAGE, OUTPUT_FAILED, NO_SUBSCRIPTIONS, else as
 * `tools`.
 */
export async function read(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [, address = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const values = await readTexts(words, context);
  const isFollowed = hasOption(args, 'follow');
  if (isFollowed && target)
    throw new UsageError('--follow shows the resource, and --output saves it: use one.', 'read');
  const used = await useIntegration(context);
  const choice = { uri: address, values };
  if (isFollowed) return await follow(context, used, await withUsage(resourceAddress(used, choice)));
  const { found: contents, unusable, uri } = await withUsage(readResource(used, choice));
  context.steps.clear();
  sayUnusable(context.output, used.integration.name, unusable);
  const answered = await answer(context, uri, contents, target);
  return { ...answered, fields: { ...answered.fields, ...unusableField(unusable) } };
}

/** Shows it until somebody ends that; the last line for programs has what was shown last. */
async function follow(context: CommandContext, used: UsedIntegration, uri: string): Promise<Answer> {
  const { output } = context;
  let fields: Answer['fields'] = { contents: [] };
  let hasShown = false;
  await followResource(
    used,
    { uri },
    {
      async show(contents) {
        const shown = await answer(context, uri, contents);
        ({ fields } = shown);
        if (hasShown) output.say(`Updated at ${timeOfDay(Date.now())}:`);
        output.event('contents', fields);
        output.part(shown);
        const { unchanged = [] } = shown;
        // Of texts the next one begins on a line of its own.
        if (unchanged.length > 0 && typeof unchanged[0] === 'string' && !endsLine(unchanged.at(-1)))
          output.part({ unchanged: ['\n'] });
        if (!hasShown) output.say('It is shown anew whenever the server says that it was updated. Ctrl-C ends that.');
        hasShown = true;
      },
      broke: () => output.say('Reading it failed. Postern tries again.'),
    },
  );
  return { fields };
}

async function answer(
  context: CommandContext,
  uri: string,
  contents: readonly ResourceContents[],
  target?: SaveTarget,
): Promise<Answer> {
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

/** What was typed does not fit the gaps of a template: that is a usage error. */
async function withUsage<Value>(reading: Promise<Value>): Promise<Value> {
  return await reading.catch((error: unknown) => {
    throw error instanceof UnfitValues ? toUsage(error) : error;
  });
}

export function toUsage({ unknown: [unknown], missing, gaps }: UnfitValues): UsageError {
  if (unknown !== undefined)
    return new UsageError(
      `This address has no gap “${printableLine(unknown, 60)}”.${didYouMean(unknown, gaps)}`,
      'read',
    );
  const names = missing.map((name) => `“${printableLine(name, 60)}”`).join(', ');
  return new UsageError(`Say what fills the gap ${names}, as KEY=VALUE.`, 'read');
}

/** `postern prompt ID NAME [KEY=VALUE…]`: a prompt, filled in. Errors: USAGE, OUTPUT_FAILED, else as `tools`. */
export async function prompt(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const [, name = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const given = await readTexts(words, context);
  const used = await useIntegration(context);
  const { found: messages, unusable } = await getPrompt(used, { name, arguments: given });
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
