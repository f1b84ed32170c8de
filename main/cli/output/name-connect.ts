import { PosternError } from '../../postern-error.ts';
import { optionSpecs } from '../options/option-specs.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { OptionValues, ParsedArguments } from '../options/parse-arguments.ts';
import { writeReference } from './write-reference.ts';

/** A server, and the options that it is connected with. */
export interface ServerAtHand {
  readonly url: string;
  readonly options: OptionValues;
}

/** How the output is wished says nothing about the server. */
const ofOutput: readonly OptionName[] = ['json', 'trace', 'help', 'version'];
const ofClient: readonly OptionName[] = ['client-id', 'client-secret-stdin', 'client-secret-ends'];

/** A longer one is not fit to be shown, and one that is cut off is another address. */
const longestAddress = 400;

/**
 * An error whose next step names a `postern connect` with all that the server was reached with: without `--local` or
 * `--legacy-endpoints` that command would end before it gets there. What the step itself adds is left out. Without a
 * server, after a wrong command line, and when it is no error of ours, it stays as it is.
 */
export function nameConnect(error: unknown, server: ServerAtHand | undefined): unknown {
  if (!(error instanceof PosternError) || error.code === 'USAGE' || server === undefined) return error;
  const { code, stage, cause, detail } = error;
  const connect = [writeAddress(server.url), ...writeOptions(server.options, replacedBy(error))].join(' ');
  return new PosternError(code, { stage, cause, detail: { ...detail, connect } });
}

/** The server that a command was given by its address. */
export function addressedServer(args: ParsedArguments | undefined): ServerAtHand | undefined {
  if (args?.command !== 'connect' && args?.command !== 'discover') return undefined;
  const [url] = args.positionals;
  return url === undefined ? undefined : { url, options: args.options };
}

/** The options that the next step gives itself, gives another value, or goes without. */
function replacedBy({ code, detail }: PosternError): readonly OptionName[] {
  if (code === 'KC_UNAVAILABLE') return ['memory'];
  if (code === 'CLIENT_DOCUMENT_REFUSED') return ['client-metadata-url'];
  return detail['error'] === 'invalid_scope' && !code.startsWith('DCR_') ? ['scope'] : ofClient;
}

/** A query may hold a key of the person's, which does not belong in an error. */
function writeAddress(url: string): string {
  if (url.length > longestAddress || url.includes('?')) return 'URL';
  return /^[\w.:/-]+$/u.test(url) ? url : writeReference(url);
}

function writeOptions(options: OptionValues, replaced: readonly OptionName[]): readonly string[] {
  return [...options]
    .filter(([name]) => !ofOutput.includes(name) && !replaced.includes(name))
    .flatMap(([name, values]) => values.map((value) => writeOption(name, value)));
}

function writeOption(name: OptionName, value: string): string {
  if (optionSpecs[name].value === undefined) return `--${name}`;
  return value.startsWith('-') ? `--${name}=${writeReference(value)}` : `--${name} ${writeReference(value)}`;
}
