import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { displayPlace, displayText } from '../../address/display-text.ts';
import { isToFillIn, parseTypedAddress } from '../../address/typed-address.ts';
import { connectServer } from '../../engine/connect/connect-server.ts';
import type { Connected } from '../../engine/connect/connect-server.ts';
import { connectWithKey } from '../../engine/connect/connect-with-key.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { hasKeysInAddress, usesApiKey } from '../../engine/kept/api-key.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { removeIntegration } from '../../engine/leave/remove-integration.ts';
import type { Removed } from '../../engine/leave/remove-integration.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { readClientKey, readClientProof } from '../../oauth/client/client-credentials.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { Secret, splitAddress } from '../../secret.ts';
import { createInteraction, defaultSignInWay, signInWay } from '../asking/cli-interaction.ts';
import { readApiKey, readHiddenLine } from '../asking/terminal-prompts.ts';
import type { CommandContext } from '../command-context.ts';
import { noteSignIn } from '../opening/note-sign-in.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { withTrace } from '../opening/sign-in-trace.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { checkServerName, hasOption, optionValue, timeoutValue } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { toCommandError } from '../output/command-error.ts';
import type { CommandError } from '../output/command-error.ts';
import { registrationDeletionSentences, revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeOption, writeUse } from '../output/write-command.ts';
import { printableLine } from '../text/printable.ts';

/** The whole way from an address to a connection, for whoever goes on with exactly that one. Errors: every stage. */
export async function connectAt(
  context: CommandContext,
): Promise<{ readonly integration: Integration; readonly answer: Answer }> {
  const { args, output, steps, signal } = context;
  const memory = hasOption(args, 'memory');
  const replace = hasOption(args, 'replace');
  const typedName = optionValue(args, 'name');
  const typed = {
    url: args.positionals[0] ?? '',
    name: typedName === undefined ? undefined : checkServerName(typedName, args.command),
    options: readIntegrationOptions(args),
    timeout: timeoutValue(args),
    surface: 'command-line',
  };
  const way = signInWay(context) ?? defaultSignInWay(process.env, process.platform);
  if (typed.options.grant !== undefined && way === 'device') {
    // RFC 8628 is a grant of its own: one of the two would have to be passed over in silence.
    const given = (['assertion-file', 'identity-provider'] as const).find((name) => hasOption(args, name)) ?? 'grant';
    throw new UsageError(`--${given} and --sign-in device do not go together: nobody signs in.`, args.command);
  }
  const apiKey = await readApiKey(context);
  const wanted = apiKey ? { ...typed, options: { ...typed.options, headerName: apiKey.headerName } } : typed;
  const credentials = await readCredentials(context);
  const registrationToken = await readRegistrationToken(context);
  const { ports, history } = await openCommandEngine(context, { memory });
  // Nobody is asked to sign in for a list that could then not be written.
  await ports.store.list();
  const options = { ...wanted.options, ...(await chosenProvider(ports, args)) };
  const before = await findBefore(ports, { ...wanted, options, replace });
  const request = { ...wanted, options, again: before.again, takesNameOf: before.replaced?.id };
  if (apiKey) steps.begin('Trying the key');
  const asking = createInteraction(context, way);
  const connected = await withTrace(
    context,
    ports,
    asking,
    (traced, interaction) =>
      apiKey
        ? connectWithKey(traced, { ...request, key: apiKey.key }, signal)
        : connectServer(traced, { ...request, credentials, registrationToken }, interaction, signal),
    memory ? undefined : noteSignIn({ history }, before.again),
  );
  steps.end('done', `Connected to ${printableLine(connected.integration.name)}`);
  const replaced = await removeReplaced(ports, before, signal);
  const at = { ...context.situation(), name: connected.integration.name };
  const warnings = connected.warnings.map((warning) => toCommandError(warning, at));
  for (const { message, code, nextStep } of warnings) {
    output.tell(`Warning: ${printableLine(message, 400)} (${code})\n         ${printableLine(nextStep, 400)}`);
  }
  const answer = {
    fields: { ...describeConnection(connected, warnings), ...(replaced && describeReplaced(replaced)) },
    text: [context.output.advise(sayWhatNext(connected, memory)), ...(replaced ? [sayReplaced(replaced)] : [])].join(
      '\n',
    ),
  };
  return { integration: connected.integration, answer };
}

const toFillIn = 'is one to fill in: put your own in its place.';

/**
 * `--client-id`, with the secret from the first line of standard input where that was asked for; on a terminal it is
 * asked for, and may be none (a public client). A key is the whole of standard input. Errors: USAGE, CLIENT_KEY_INVALID.
 */
async function readCredentials(context: CommandContext): Promise<TypedCredentials | undefined> {
  const { args, stdin, canAsk, prompt, signal } = context;
  const clientId = optionValue(args, 'client-id');
  const wantsSecret = hasOption(args, 'client-secret-stdin');
  const wantsKey = hasOption(args, 'client-key-stdin');
  const asClient = optionValue(args, 'grant') !== undefined;
  for (const name of ['assertion-file', 'identity-provider'] as const) {
    if (!hasOption(args, name) || clientId !== undefined) continue;
    throw new UsageError(`--${name} needs --client-id.`, args.command);
  }
  const lacksProof = new UsageError('--grant needs --client-id, and a client secret or a key.', args.command);
  if (asClient && (clientId === undefined || !(canAsk || wantsSecret || wantsKey))) throw lacksProof;
  if (clientId === undefined) {
    const given = wantsKey ? '--client-key-stdin' : '--client-secret-stdin';
    if (wantsSecret || wantsKey) throw new UsageError(`${given} needs --client-id too.`, args.command);
    return undefined;
  }
  if (wantsSecret && wantsKey) {
    throw new UsageError('--client-secret-stdin and --client-key-stdin do not go together.', args.command);
  }
  if (isToFillIn(clientId)) throw new UsageError(`--client-id ${toFillIn}`, args.command);
  const secretExpiresAt = readSecretEnd(args);
  const client = { clientId, ...(secretExpiresAt !== undefined && { secretExpiresAt }) };
  if (wantsKey) return { ...client, clientKey: readClientKey(await stdin.readAll(signal)) };
  if (!wantsSecret && !canAsk) return client;
  const clientSecret = canAsk
    ? await readHiddenLine(stdin, () => prompt('Client secret (it is not shown; Enter if there is none): '), signal)
    : await stdin.next(signal);
  if (canAsk) prompt('\n');
  if (!clientSecret && asClient) throw lacksProof;
  if (!clientSecret && !wantsSecret) return client;
  if (!clientSecret) throw new UsageError('No client secret came on standard input.', args.command);
  if (isToFillIn(clientSecret)) throw new UsageError(`The client secret ${toFillIn}`, args.command);
  return { ...client, ...readClientProof(clientSecret) };
}

/** The first line of standard input; on a terminal it is asked for and not shown. Errors: USAGE. */
async function readRegistrationToken({
  args,
  stdin,
  canAsk,
  prompt,
  signal,
}: CommandContext): Promise<Secret | undefined> {
  if (!hasOption(args, 'registration-token-stdin')) return undefined;
  const others = ['client-id', 'header'] as const;
  if (others.some((name) => optionValue(args, name) !== undefined)) {
    throw new UsageError('--registration-token-stdin goes with neither --client-id nor --header.', args.command);
  }
  const question = (): void => prompt('Token to register with (it is not shown): ');
  const token = canAsk ? await readHiddenLine(stdin, question, signal) : await stdin.next(signal);
  if (canAsk) prompt('\n');
  if (!token || !/^[\u0021-\u007e]{1,8192}$/u.test(token)) {
    throw new UsageError('No token of visible ASCII characters came on standard input.', args.command);
  }
  return new Secret(token);
}

/** Midnight UTC of the day that the service names. Errors: USAGE. */
function readSecretEnd(args: CommandContext['args']): number | undefined {
  const day = optionValue(args, 'client-secret-ends');
  if (day === undefined) return undefined;
  const end = /^\d{4}-\d{2}-\d{2}$/u.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(end)) throw new UsageError('--client-secret-ends needs a day such as 2027-05-31.', args.command);
  return end;
}

function describeConnection(
  { integration, tools }: Connected,
  warnings: readonly CommandError[],
): Readonly<Record<string, unknown>> {
  return {
    integration: summarise(integration),
    tools: tools.map(({ name }) => name),
    warnings,
  };
}

function sayWhatNext({ integration, tools }: Connected, memory: boolean): string {
  const name = printableLine(integration.name);
  if (integration.options.isIdentityProvider && !memory) {
    const words = `postern connect https://mcp.example.com/mcp ${writeOption('identity-provider', integration.name)}`;
    return `“${name}” is connected and signs in for other servers.\nNext: ${words} --client-id ID`;
  }
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const names = tools.slice(0, 8).map((tool) => printableLine(tool.name, 40));
  const known = tools.length === 0 ? '' : ` with ${count}: ${names.join(', ')}${tools.length > 8 ? ', …' : ''}`;
  const sentence = `“${name}” is connected${known}.`;
  return memory
    ? `${sentence}\nNothing of it was kept: this was a try with --memory.`
    : `${sentence}\nNext: ${writeUse('tools', integration.name)}`;
}

interface Wanted {
  readonly name: string | undefined;
  readonly url: string;
  readonly options: IntegrationOptions;
  /** `--replace` */
  readonly replace: boolean;
}

/**
 * What stands before the connection that is made: the same server, which keeps its id, or one that gives up its name.
 */
interface Before {
  readonly again?: Integration;
  readonly replaced?: Integration;
}

/**
 * Commands know a server by its name, so that a second one of that name would leave scripts with the first one's
 * access. Errors: NAME_TAKEN, those of the address rule, CFG_*.
 */
async function findBefore({ store }: Pick<EnginePorts, 'store'>, wanted: Wanted): Promise<Before> {
  if (wanted.name === undefined) return {};
  const { href, parts } = splitAddress(parseTypedAddress(wanted.url).href);
  const name = displayText(wanted.name);
  const existing = (await store.list()).find((one) => one.name === name);
  if (existing === undefined) return {};
  // The same server with an API key and with a sign-in is two.
  const usesKey = parts.length > 0 || usesApiKey(wanted);
  if (existing.url === href && (usesApiKey(existing) || hasKeysInAddress(existing)) === usesKey)
    return { again: existing };
  if (wanted.replace) return { replaced: existing };
  const url = new URL(existing.url);
  throw new PosternError('NAME_TAKEN', {
    stage: 'address',
    detail: { name: existing.name, place: `${displayPlace(url)}${url.pathname}`.slice(0, 200) },
  });
}

/** Once the new connection works: the old one's access is ended and all that is kept for it deleted. */
async function removeReplaced(
  ports: EnginePorts,
  { replaced }: Before,
  signal: AbortSignal,
): Promise<Removed | undefined> {
  return replaced && (await removeIntegration(ports, replaced, signal));
}

function describeReplaced({ integration, revocation, registration }: Removed): object {
  return { replaced: { integration: summarise(integration), revocation, registration } };
}

function sayReplaced({ integration, revocation, registration }: Removed): string {
  return [
    `It took the name of ${printableLine(integration.url)}, which is removed.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** `--identity-provider`, by the id that is kept: a name may change. Errors: NOT_FOUND, USAGE, CFG_*. */
async function chosenProvider(
  { store }: Pick<EnginePorts, 'store'>,
  args: ParsedArguments,
): Promise<Pick<Integration['options'], 'identityProvider'>> {
  const reference = optionValue(args, 'identity-provider');
  if (reference === undefined) return {};
  const { id, options } = await findIntegration(store, reference);
  if (options.isIdentityProvider) return { identityProvider: id };
  throw new UsageError('--identity-provider needs one that was connected with --as-provider.', args.command);
}
