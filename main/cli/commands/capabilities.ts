import { timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
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
import type { UseResult, UseScope } from '../../operations/use.ts';
import type { CommandContext } from '../command-context.ts';
import { openIntegration } from '../opening/open-command-engine.ts';
import type { OpenedIntegration } from '../opening/open-command-engine.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import {
  describePrompt,
  describeResource,
  describeTool,
  reportTruncatedList,
  reportUnusable,
  unusableField,
} from '../output/describe-capabilities.ts';
import {
  toCommandResult,
  describeResult,
  endsWithNewline,
  piecesOf,
  saveTarget,
  rawPieces,
} from '../output/describe-result.ts';
import type { SaveTarget } from '../output/describe-result.ts';
import type { CommandResult } from '../output/output.ts';
import { printableLine } from '../text.ts';
import { readTextArguments } from './call-arguments.ts';

/** A listing: fields for the last `--json` line, and one text per entry. */
interface Listing {
  readonly fields: CommandResult['fields'];
  readonly texts: readonly string[];
}

/**
 * `postern tools ID`: lists a server's tools. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED,
 * NOT_FOUND.
 */
export async function tools(context: CommandContext): Promise<CommandResult> {
  const { columns } = context.output;
  return await list(context, 'tools', listTools, (listed) => ({
    fields: { tools: listed },
    texts: listed.map((tool) => describeTool(tool, columns)),
  }));
}

/** `postern resources ID`: lists a server's resources and resource templates. Errors: as `tools`. */
export async function resources(context: CommandContext): Promise<CommandResult> {
  const { columns } = context.output;
  return await list(context, 'resources', listResources, (listed) => ({
    fields: { resources: listed.resources, templates: listed.templates },
    texts: [...listed.resources, ...listed.templates].map((each) => describeResource(each, columns)),
  }));
}

/** `postern prompts ID`: lists a server's prompts with their arguments. Errors: as `tools`. */
export async function prompts(context: CommandContext): Promise<CommandResult> {
  const { columns } = context.output;
  return await list(context, 'prompts', listPrompts, (listed) => ({
    fields: { prompts: listed },
    texts: listed.map((each) => describePrompt(each, columns)),
  }));
}

async function list<Value>(
  context: CommandContext,
  what: 'tools' | 'resources' | 'prompts',
  fetchValue: (scope: UseScope) => Promise<UseResult<Value>>,
  describe: (found: Value) => Listing,
): Promise<CommandResult> {
  const { output, steps } = context;
  const server = await openIntegration(context);
  const { value, isPartial, unusable } = await fetchValue(server);
  steps.clear();
  const { fields, texts } = describe(value);
  if (texts.length === 0 && !isPartial && unusable.length === 0) output.info(`This server has no ${what}.`);
  if (isPartial) reportTruncatedList(output, what);
  reportUnusable(output, server.integration.name, unusable);
  return {
    fields: { ...fields, ...unusableField(unusable) },
    text: texts.length === 0 ? undefined : texts.join('\n\n'),
  };
}

/**
 * `postern read ID URI [KEY=VALUE…]`: reads one resource. Errors: USAGE, OUTPUT_FAILED, NO_SUBSCRIPTIONS, else as
 * `tools`.
 */
export async function read(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const [, address = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const values = await readTextArguments(words, context);
  const isFollowed = hasOption(args, 'follow');
  if (isFollowed && target) throw new UsageError('Use either --follow or --output.', 'read');
  const server = await openIntegration(context);
  const choice = { uri: address, values };
  if (isFollowed) return await follow(context, server, await orUsageError(resourceAddress(server, choice)));
  const { value: contents, unusable, uri } = await orUsageError(readResource(server, choice));
  context.steps.clear();
  reportUnusable(context.output, server.integration.name, unusable);
  const result = await showContents(context, uri, contents, target);
  return { ...result, fields: { ...result.fields, ...unusableField(unusable) } };
}

/** Shows the resource until the user stops it. The last `--json` line has what was shown last. */
async function follow(context: CommandContext, server: OpenedIntegration, uri: string): Promise<CommandResult> {
  const { output } = context;
  let fields: CommandResult['fields'] = { contents: [] };
  let hasShown = false;
  await followResource(
    server,
    { uri },
    {
      async show(contents) {
        const part = await showContents(context, uri, contents);
        ({ fields } = part);
        if (hasShown) output.info(`Updated at ${timeOfDay(Date.now())}:`);
        output.event('contents', fields);
        output.writePart(part);
        const { raw = [] } = part;
        // The next text must start on a new line.
        if (raw.length > 0 && typeof raw[0] === 'string' && !endsWithNewline(raw.at(-1)))
          output.writePart({ raw: ['\n'] });
        if (!hasShown) output.info('Postern shows it again after each update. Press Ctrl-C to stop.');
        hasShown = true;
      },
      onDisconnect: () => output.info('Reading the resource failed. Postern will try again.'),
    },
  );
  return { fields };
}

async function showContents(
  context: CommandContext,
  uri: string,
  contents: readonly ResourceContents[],
  target?: SaveTarget,
): Promise<CommandResult> {
  context.steps.clear();
  if (contents.length === 0) context.output.info('The resource is empty.');
  const content = contents.map((resource) => ({ type: 'resource' as const, resource }));
  return await toCommandResult(context, { content }, { name: fileNameFor(uri), target }, (remaining, files) => ({
    contents: remaining.flatMap((block) => ('resource' in block ? [{ ...block.resource, ...fileOf(block) }] : [])),
    ...files,
  }));
}

function fileOf(block: object): { readonly file?: unknown } {
  return 'file' in block ? { file: block.file } : {};
}

/** The last segment of a URI, as the base name of `--output` files. */
function fileNameFor(uri: string): string {
  return /([^/?#]+)\/?(?:[?#].*)?$/su.exec(uri)?.[1] ?? uri;
}

/** Turns values that do not fit a template into a usage error. */
async function orUsageError<Value>(result: Promise<Value>): Promise<Value> {
  return await result.catch((error: unknown) => {
    throw error instanceof UnfitValues ? toTemplateError(error) : error;
  });
}

export function toTemplateError({ unknown: [unknown], missing, variables }: UnfitValues): UsageError {
  if (unknown !== undefined)
    return new UsageError(
      `This template has no placeholder “${printableLine(unknown, 60)}”.${didYouMean(unknown, variables)}`,
      'read',
    );
  const names = missing.map((name) => `“${printableLine(name, 60)}”`).join(', ');
  return new UsageError(`Give a value for ${names}, as KEY=VALUE.`, 'read');
}

/**
 * `postern prompt ID NAME [KEY=VALUE…]`: a prompt with its arguments filled in. Errors: USAGE, OUTPUT_FAILED, else as
 * `tools`.
 */
export async function prompt(context: CommandContext): Promise<CommandResult> {
  const { args, output } = context;
  const [, name = '', ...words] = args.positionals;
  const target = saveTarget(args);
  const argumentValues = await readTextArguments(words, context);
  const server = await openIntegration(context);
  const { value: messages, unusable } = await getPrompt(server, { name, arguments: argumentValues });
  context.steps.clear();
  reportUnusable(output, server.integration.name, unusable);
  if (target) {
    const content = messages.map((message) => message.content);
    return await toCommandResult(context, { content }, { name, target }, (remaining, files) => ({
      messages: messages.map((message, index) => ({ ...message, content: remaining[index] })),
      ...files,
      ...unusableField(unusable),
    }));
  }
  if (output.json || messages.length === 0) return { fields: { messages, ...unusableField(unusable) } };
  if (output.isStdoutTerminal) {
    const text = messages.map(({ role, content }) => `${role}:\n${describeResult({ content: [content] }) ?? ''}`);
    return { fields: { messages, ...unusableField(unusable) }, text: text.join('\n\n') };
  }
  const raw = messages.flatMap(({ role, content }, index) => {
    const [text = ''] = content.type === 'text' ? rawPieces(piecesOf({ content: [content] })) : [];
    return [`${index > 0 ? '\n\n' : ''}${role}:\n`, text];
  });
  return { fields: { messages, ...unusableField(unusable) }, raw };
}
