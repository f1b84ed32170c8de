import type { Integration } from '../../../shared/integration.ts';
import { nameAfter } from '../../../shared/pasted/read-command.ts';
import type { Pasted } from '../../../shared/pasted/read-command.ts';
import { readPasted } from '../../../shared/pasted/read-pasted.ts';
import { serverName } from '../../address/display-text.ts';
import { readMcpList } from '../../apps/import/read-mcp-json.ts';
import type { Removed } from '../../engine/leave/remove-integration.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { ClientToFillIn, readClientKey, readTypedClient } from '../../oauth/client/client-credentials.ts';
import { connect as connectServer, NotIdentityProvider, signInAgain } from '../../operations/connect.ts';
import type { ConnectedServer, SignInScope } from '../../operations/connect.ts';
import { Secret } from '../../secret.ts';
import { defaultSignInWay, signInWay } from '../asking/cli-interaction.ts';
import { readApiKey, readSecretLine } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine, useIntegration } from '../opening/open-command-engine.ts';
import { signInScope } from '../opening/sign-in-scope.ts';
import { commandsOnConnection } from '../options/command-spec.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import {
  checkServerName,
  didYouMean,
  hasOption,
  optionValue,
  parseArguments,
  timeoutValue,
  UsageError,
} from '../options/parse-arguments.ts';
import type { OptionValues } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandError } from '../output/describe-error.ts';
import {
  describeAccount,
  registrationDeletionSentences,
  revocationSentences,
  summarise,
} from '../output/describe-integration.ts';
import { describeItself, wantsToolHelp } from '../output/help.ts';
import type { Answer } from '../output/output.ts';
import { writeOption, writeUse } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/**
 * `postern connect URL`: the whole way from an address to a connection. In its place a command that would add the server
 * to an app, one that would start it, a link to install it, or a piece of a configuration. Errors: every stage.
 */
export async function connect(context: CommandContext): Promise<Answer> {
  return (await connectPasted(context)) ?? (await connectAt(context)).answer;
}

/**
 * What was pasted as one word in the place of an address, as the window reads it. `undefined`: it is an address, or
 * nothing that leads to a server. Errors: those of `connect`, `import` and `local`.
 */
async function connectPasted(context: CommandContext): Promise<Answer | undefined> {
  const { positionals } = context.args;
  const [word = ''] = positionals;
  if (positionals.length !== 1 || !/^[{"]|\s|^(?:cursor|vscode|vscode-insiders):/u.test(word.trim())) return undefined;
  const read = readPasted(word);
  switch (read.kind) {
    case 'address':
      return (await connectAt(withWords(context, [read.url]))).answer;
    case 'list':
      return await connectList(context, read.text);
    case 'local':
      return await connectCommand(context, read);
    default:
      return undefined;
  }
}

/** `listed`: a name that nobody has typed, and that is made to fit. */
function withWords(context: CommandContext, positionals: readonly string[], listed = ''): CommandContext {
  const { args } = context;
  const name = serverName(listed);
  const isNamed = name === '' || args.options.has('name');
  const options = isNamed ? args.options : new Map(args.options).set('name', [name]);
  return { ...context, args: { ...args, positionals: [...positionals], options } };
}

/** One address without a key is connected as if it had been typed; all else is imported. */
async function connectList(context: CommandContext, text: string): Promise<Answer> {
  const { servers = [], unread = [] } = readMcpList(text) ?? {};
  const [server, ...others] = servers;
  const isAlone = others.length === 0 && unread.length === 0;
  const isBare = server?.headers === undefined && server?.notes.every((note) => note === 'unwrapped-mcp-remote');
  if (isAlone && isBare && server?.url !== undefined)
    return (await connectAt(withWords(context, [server.url], server.name))).answer;
  const wanted = optionValue(context.args, 'name');
  if (wanted !== undefined && !isAlone)
    throw new UsageError('--name is for one server, and several were pasted.', context.args.command);
  const stdin = { ...context.stdin, readAll: async () => text };
  const { importEntries } = await import('./import.ts');
  return await importEntries({ ...withWords(context, ['-']), stdin }, wanted);
}

/** Shown as it will run, and connected once that was allowed. */
async function connectCommand(
  context: CommandContext,
  { name, program, words, variables }: Extract<Pasted, { readonly kind: 'local' }>,
): Promise<Answer> {
  const called = optionValue(context.args, 'name') ?? (serverName(name ?? '') || nameAfter(program));
  const { local } = await import('./local.ts');
  return await local(withWords(context, [called, ...words]), variables);
}

/** Reports that a known service has moved away from this address. Postern still uses the address that the user typed. */
export async function tellMoved({ output, steps }: CommandContext, url: string): Promise<void> {
  const { findMoved } = await import('../../../shared/known-servers.ts');
  const moved = findMoved(url);
  if (!moved) return;
  const { name, address } = moved;
  output.event('note', { note: 'service-moved', name, address });
  steps.end('note', `${name} has moved: connect ${address} instead`);
}

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
  const credentials = await readCredentials(context).catch((error: unknown) => {
    if (!(error instanceof ClientToFillIn)) throw error;
    const part = error.part === 'clientId' ? '--client-id' : 'The client secret';
    throw new UsageError(`${part} is one to fill in: put your own in its place.`, args.command);
  });
  const registrationToken = await readRegistrationToken(context);
  await tellMoved(context, typed.url);
  const { ports, history } = await openCommandEngine(context, { memory });
  const signing = signInScope(context, { ports, ...(!memory && { history }) }, way);
  const noted: SignInScope['noted'] = async (server, work) => {
    if (apiKey) steps.begin('Trying the key');
    const result = await signing.noted(server, work);
    if (result.integration) steps.end('done', `Connected to ${printableLine(result.integration.name)}`);
    return result;
  };
  const connected = await connectServer(
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
  const { replaced, beside } = connected;
  const at = { ...context.situation(), name: connected.integration.name };
  const warnings = connected.warnings.map((warning) => toCommandError(warning, at));
  for (const { message, code, nextStep } of warnings) {
    output.tell(`Warning: ${printableLine(message, 400)} (${code})\n         ${printableLine(nextStep, 400)}`);
  }
  const answer = {
    fields: {
      ...describeConnection(connected, warnings),
      ...(replaced && describeReplaced(replaced)),
      ...(beside.length > 0 && { beside: beside.map(({ id }) => id) }),
    },
    text: [
      context.output.advise(sayWhatNext(connected, memory)),
      ...(replaced ? [sayReplaced(replaced)] : []),
      ...(beside.length > 0 ? [context.output.advise(sayBeside(connected))] : []),
    ].join('\n'),
  };
  return { integration: connected.integration, answer };
}

/**
 * `--client-id`, with the secret from the first line of standard input where that was asked for; on a terminal it is
 * asked for, and may be none (a public client). A key is the whole of standard input. Errors: USAGE, those of `readTypedClient`.
 */
async function readCredentials(context: CommandContext): Promise<TypedCredentials | undefined> {
  const { args, stdin, canAsk, signal } = context;
  const typedId = optionValue(args, 'client-id');
  const wantsSecret = hasOption(args, 'client-secret-stdin');
  const wantsKey = hasOption(args, 'client-key-stdin');
  const asClient = optionValue(args, 'grant') !== undefined;
  for (const name of ['assertion-file', 'identity-provider'] as const) {
    if (!hasOption(args, name) || typedId !== undefined) continue;
    throw new UsageError(`--${name} needs --client-id.`, args.command);
  }
  const lacksProof = new UsageError('--grant needs --client-id, and a client secret or a key.', args.command);
  if (asClient && (typedId === undefined || !(canAsk || wantsSecret || wantsKey))) throw lacksProof;
  if (typedId === undefined) {
    const given = wantsKey ? '--client-key-stdin' : '--client-secret-stdin';
    if (wantsSecret || wantsKey) throw new UsageError(`${given} needs --client-id too.`, args.command);
    return undefined;
  }
  if (wantsSecret && wantsKey) {
    throw new UsageError('--client-secret-stdin and --client-key-stdin do not go together.', args.command);
  }
  const { clientId } = readTypedClient({ clientId: typedId });
  const secretExpiresAt = readSecretEnd(args);
  const client = { clientId, ...(secretExpiresAt !== undefined && { secretExpiresAt }) };
  if (wantsKey) return { ...client, clientKey: readClientKey(await stdin.readAll(signal)) };
  if (!wantsSecret && !canAsk) return client;
  const clientSecret = await readSecretLine(context, 'Client secret (it is not shown; Enter if there is none): ');
  if (!clientSecret && asClient) throw lacksProof;
  if (!clientSecret && !wantsSecret) return client;
  if (!clientSecret) throw new UsageError('No client secret came on standard input.', args.command);
  return { ...client, ...readTypedClient({ clientId, clientSecret }) };
}

/** The first line of standard input; on a terminal it is asked for and not shown. Errors: USAGE. */
async function readRegistrationToken(context: CommandContext): Promise<Secret | undefined> {
  const { args } = context;
  if (!hasOption(args, 'registration-token-stdin')) return undefined;
  const others = ['client-id', 'header'] as const;
  if (others.some((name) => optionValue(args, name) !== undefined)) {
    throw new UsageError('--registration-token-stdin goes with neither --client-id nor --header.', args.command);
  }
  const token = await readSecretLine(context, 'Token to register with (it is not shown): ');
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

/** That may be a second account. Whoever only meant to sign in again now has two servers. */
function sayBeside({ integration, beside }: ConnectedServer): string {
  const names = beside.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  const remove = writeUse('remove', integration.name);
  return `The same address is connected as ${names} too. If you did not want both: ${remove}`;
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

/**
 * `postern switch ID`: signs in again and asks the service for a new login, so that another account can be chosen; the
 * access that is there stays until that has worked. Errors: those of a sign-in, API_KEY_INSTEAD, NOT_FOUND.
 */
export async function switchAccount(context: CommandContext): Promise<Answer> {
  const { engine, integration } = await useIntegration(context);
  const way = signInWay(context) ?? defaultSignInWay(process.env, process.platform);
  const switched = await signInAgain(signInScope(context, engine, way), integration, { freshLogin: true });
  context.steps.clear();
  const account = describeAccount(switched);
  const who = account === undefined ? '' : `, as ${printableLine(account)}`;
  return {
    fields: { integration: summarise(switched) },
    text: `“${printableLine(switched.name)}” is signed in again${who}.`,
  };
}

/**
 * `postern with URL -- COMMAND …`: connects, uses the connection once and forgets it. Nothing is kept, and no keychain
 * is asked. COMMAND has its own options; `--sign-in` and `--json` hold for both, wherever they stand. Errors: those of `connect` and of the command; USAGE for one that is about more than one connection.
 */
export async function withServer(context: CommandContext): Promise<Answer> {
  const { args, commands } = context;
  const [url = '', word = '', ...words] = args.positionals;
  const usable = commandsOnConnection(commands);
  const command = usable.find((name) => name === word);
  if (command === undefined)
    throw new UsageError(
      `“postern with” runs one of ${usable.join(', ')}, after --.${didYouMean(word, usable)}`,
      args.command,
    );
  // Understood before anybody signs in for it. The id stands there once it is known.
  const inner = parseArguments(commands, [command, ID, ...words]);
  const isToolHelp = wantsToolHelp(inner);
  const about = isToolHelp ? undefined : describeItself(commands, inner, context.output);
  if (about) return about;
  const engine = await openCommandEngine(context, { memory: true });
  const signIn = args.options.get('sign-in') ?? inner.options.get('sign-in');
  const withSignIn = (options: OptionValues): OptionValues =>
    signIn === undefined ? options : new Map([...options, ['sign-in', signIn]]);
  const connecting: CommandContext = {
    ...context,
    lent: engine,
    args: { command: 'connect', positionals: [url], options: withSignIn(new Map([...args.options, ['memory', ['']]])) },
  };
  // By its id: the list has the servers of the profile too.
  const { integration } = await connectAt(connecting);
  const using: CommandContext = {
    ...context,
    lent: engine,
    args: {
      ...inner,
      options: withSignIn(inner.options),
      positionals: [integration.id, ...inner.positionals.slice(1)],
    },
  };
  if (isToolHelp) return await (await import('./call.ts')).toolHelp(using, ['with', url, '--', 'call']);
  const run = await commands.specs[command].load();
  return await run(using);
}

const ID = 'ID';
