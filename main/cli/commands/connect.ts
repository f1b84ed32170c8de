import type { Integration } from '../../../shared/integration.ts';
import { isToFillIn } from '../../address/typed-address.ts';
import type { Removed } from '../../engine/leave/remove-integration.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { readClientKey, readClientProof } from '../../oauth/client/client-credentials.ts';
import { connect, NotIdentityProvider } from '../../operations/connect.ts';
import type { ConnectedServer, SignInScope } from '../../operations/connect.ts';
import { Secret } from '../../secret.ts';
import { defaultSignInWay, signInWay } from '../asking/cli-interaction.ts';
import { readApiKey, readHiddenLine } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { signInScope } from '../opening/sign-in-scope.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { checkServerName, hasOption, optionValue, timeoutValue, UsageError } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandError } from '../output/describe-error.ts';
import { registrationDeletionSentences, revocationSentences, summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeOption, writeUse } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/** The whole way from an address to a connection, for whoever goes on with exactly that one. Errors: every stage. */
export async function connectAt(
  context: CommandContext,
): Promise<{ readonly integration: Integration; readonly answer: Answer }> {
  const { args, output, steps } = context;
  const memory = hasOption(args, 'memory');
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
  const signing = signInScope(context, { ports, ...(!memory && { history }) }, way);
  const noted: SignInScope['noted'] = async (server, work) => {
    if (apiKey) steps.begin('Trying the key');
    const result = await signing.noted(server, work);
    if (result.integration) steps.end('done', `Connected to ${printableLine(result.integration.name)}`);
    return result;
  };
  const connected = await connect(
    { ...signing, noted },
    {
      ...wanted,
      credentials,
      registrationToken,
      key: apiKey && { value: apiKey.key },
      identityProvider: optionValue(args, 'identity-provider'),
      onSameName: hasOption(args, 'replace') ? 'replace' : 'refuse',
    },
  ).catch((error: unknown) => {
    if (!(error instanceof NotIdentityProvider)) throw error;
    throw new UsageError('--identity-provider needs one that was connected with --as-provider.', args.command);
  });
  const { replaced } = connected;
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
  { integration, tools }: ConnectedServer,
  warnings: readonly CommandError[],
): Readonly<Record<string, unknown>> {
  return {
    integration: summarise(integration),
    tools: tools.map(({ name }) => name),
    warnings,
  };
}

function sayWhatNext({ integration, tools }: ConnectedServer, memory: boolean): string {
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
