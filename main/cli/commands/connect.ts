import { isKeyHeaderName, keyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Pasted } from '../../../shared/pasted/read-command.ts';
import { serverName } from '../../address/display-text.ts';
import type { RemovalResult } from '../../engine/removal/remove-integration.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { PlaceholderClient, readClientKey, readTypedClient } from '../../oauth/client/client-credentials.ts';
import { connect as connectServer, NotIdentityProvider, signInAgain } from '../../operations/connect.ts';
import type { ConnectedServer, SignInScope } from '../../operations/connect.ts';
import { Secret } from '../../secret.ts';
import { defaultSignInMode, signInMode } from '../interaction/cli-interaction.ts';
import { readSecretLine } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openIntegration } from '../opening/open-command-engine.ts';
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
  summarize,
} from '../output/describe-integration.ts';
import { describeHelpOrVersion, wantsToolHelp } from '../output/help.ts';
import type { CommandResult } from '../output/output.ts';
import { writeOption, writeServerCommand } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/**
 * `postern connect URL`: connects a server and signs in. Instead of an address, takes a command that adds the server to
 * an app or starts it, an install link, or JSON. Errors: every stage.
 */
export async function connect(context: CommandContext): Promise<CommandResult> {
  return (await connectPasted(context)) ?? (await connectAt(context)).result;
}

/**
 * Connects what was pasted instead of an address, read as in the window. `undefined`: it is an address, or not
 * recognized. Errors: those of `connect`, `import` and `local`.
 */
async function connectPasted(context: CommandContext): Promise<CommandResult | undefined> {
  const { positionals } = context.args;
  const [word = ''] = positionals;
  if (positionals.length !== 1 || !/^[{"]|\s|^(?:cursor|vscode|vscode-insiders):/u.test(word.trim())) return undefined;
  const { readPasted } = await import('../../../shared/pasted/read-pasted.ts');
  const read = readPasted(word);
  switch (read.kind) {
    case 'address':
      return (await connectAt(withArguments(context, [read.url]))).result;
    case 'list':
      return await connectList(context, read.text);
    case 'local':
      return await connectCommand(context, read);
    default:
      return undefined;
  }
}

/** `listed`: a name from the pasted list, made valid; a typed `--name` wins. */
function withArguments(context: CommandContext, positionals: readonly string[], listed = ''): CommandContext {
  const { args } = context;
  const name = serverName(listed);
  const isNamed = name === '' || args.options.has('name');
  const options = isNamed ? args.options : new Map(args.options).set('name', [name]);
  return { ...context, args: { ...args, positionals: [...positionals], options } };
}

/** A single address without a key is connected as if it had been typed. Everything else is imported. */
async function connectList(context: CommandContext, text: string): Promise<CommandResult> {
  const { readMcpList } = await import('../../apps/import/read-mcp-json.ts');
  const { servers = [], unreadable = [] } = readMcpList(text) ?? {};
  const [server, ...others] = servers;
  const isSingle = others.length === 0 && unreadable.length === 0;
  const isBare = server?.headers === undefined && server?.notes.every((note) => note === 'unwrapped-mcp-remote');
  if (isSingle && isBare && server?.url !== undefined)
    return (await connectAt(withArguments(context, [server.url], server.name))).result;
  const requestedName = optionValue(context.args, 'name');
  if (requestedName !== undefined && !isSingle)
    throw new UsageError('--name needs a single server, but several were pasted.', context.args.command);
  const { importPasted } = await import('./import.ts');
  return await importPasted(context, text, requestedName);
}

/** Shows the command and connects it once the user allows it. */
async function connectCommand(
  context: CommandContext,
  { name, app, words, variables }: Extract<Pasted, { readonly kind: 'local' }>,
): Promise<CommandResult> {
  const { nameAfter } = await import('../../../shared/pasted/read-command.ts');
  const chosenName = optionValue(context.args, 'name') ?? (serverName(name ?? '') || nameAfter(app));
  const { local } = await import('./local.ts');
  return await local(withArguments(context, [chosenName, ...words]), variables);
}

/** Reports that a known service has moved from this address. Postern still uses the typed address. */
export async function reportMoved({ output, steps }: CommandContext, url: string): Promise<void> {
  const { findMoved } = await import('../../../shared/known-servers.ts');
  const moved = findMoved(url);
  if (!moved) return;
  const { name, address } = moved;
  output.event('note', { note: 'service-moved', name, address });
  steps.end('note', `${name} has moved. Connect ${address} instead`);
}

/** Connects an address and returns the new integration as well. Errors: every stage. */
async function connectAt(
  context: CommandContext,
): Promise<{ readonly integration: Integration; readonly result: CommandResult }> {
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
  const mode = signInMode(context) ?? defaultSignInMode(process.env, process.platform);
  if (typed.options.grant !== undefined && mode === 'device') {
    // RFC 8628 is a grant of its own, so one of the two would be ignored.
    const given = (['assertion-file', 'identity-provider'] as const).find((name) => hasOption(args, name)) ?? 'grant';
    throw new UsageError(`Use either --${given} or --sign-in device.`, args.command);
  }
  const apiKey = await readApiKey(context);
  const request = apiKey ? { ...typed, options: { ...typed.options, headerName: apiKey.headerName } } : typed;
  const credentials = await readCredentials(context).catch((error: unknown) => {
    if (!(error instanceof PlaceholderClient)) throw error;
    const part = error.part === 'clientId' ? '--client-id' : 'The client secret';
    throw new UsageError(`${part} is a placeholder. Replace it with your own value.`, args.command);
  });
  const registrationToken = await readRegistrationToken(context);
  await reportMoved(context, typed.url);
  const { ports, history } = await context.openEngine({ memory });
  const signInContext = signInScope(context, { ports, ...(!memory && { history }) }, mode);
  const traceSignIn: SignInScope['traceSignIn'] = async (server, work) => {
    if (apiKey) steps.begin('Trying the key');
    const result = await signInContext.traceSignIn(server, work);
    if (result.integration) steps.end('done', `Connected to ${printableLine(result.integration.name)}`);
    return result;
  };
  const connected = await connectServer(
    { ...signInContext, traceSignIn },
    {
      ...request,
      credentials,
      registrationToken,
      key: apiKey && { value: apiKey.key },
      identityProvider: optionValue(args, 'identity-provider'),
      onSameName: hasOption(args, 'replace') ? 'replace' : 'refuse',
    },
  ).catch((error: unknown) => {
    if (!(error instanceof NotIdentityProvider)) throw error;
    throw new UsageError('--identity-provider needs a server connected with --as-provider.', args.command);
  });
  const { replaced, beside } = connected;
  const at = { ...context.adviceContext(), name: connected.integration.name };
  const warnings = connected.warnings.map((warning) => toCommandError(warning, at));
  for (const { message, code, nextStep } of warnings) {
    output.notify(`Warning: ${printableLine(message, 400)} (${code})\n         ${printableLine(nextStep, 400)}`);
  }
  const result = {
    fields: {
      ...connectionFields(connected, warnings),
      ...(replaced && replacedFields(replaced)),
      ...(beside.length > 0 && { beside: beside.map(({ id }) => id) }),
    },
    text: [
      context.output.advise(describeNextStep(connected, memory)),
      ...(replaced ? [describeReplacement(replaced)] : []),
      ...(beside.length > 0 ? [context.output.advise(describeSameAddress(connected))] : []),
    ].join('\n'),
  };
  return { integration: connected.integration, result };
}

interface ApiKeyOption {
  readonly headerName: string;
  readonly key: Secret;
}

/**
 * Reads the API key for `--header NAME --header-value-stdin`: the first line of standard input, or typed without echo.
 * Errors: USAGE.
 */
async function readApiKey(context: CommandContext): Promise<ApiKeyOption | undefined> {
  const { args, canAsk } = context;
  const headerName = optionValue(args, 'header');
  const wantsValue = hasOption(args, 'header-value-stdin');
  if (headerName === undefined && !wantsValue) return undefined;
  if (headerName === undefined) throw new UsageError('--header-value-stdin needs --header NAME.', args.command);
  if (hasOption(args, 'client-id') || hasOption(args, 'client-secret-stdin') || hasOption(args, 'client-key-stdin')) {
    throw new UsageError('Use either --header (API key) or the client options (sign-in).', args.command);
  }
  if (!isKeyHeaderName(headerName)) {
    throw new UsageError('--header needs a header name that can carry a key, such as X-API-Key.', args.command);
  }
  if (!wantsValue && !canAsk) {
    throw new UsageError('--header needs --header-value-stdin with the key on standard input.', args.command);
  }
  const typed = await readSecretLine(context, `Value of ${headerName} (hidden): `);
  if (!typed) throw new UsageError('Standard input has no value for the header.', args.command);
  const value = keyHeaderValue(typed);
  if (value === undefined) {
    throw new UsageError('The header value can only have visible ASCII characters.', args.command);
  }
  return { headerName, key: new Secret(value) };
}

/**
 * Reads `--client-id` and its secret: from the first line of standard input, or typed on a terminal, where it may be
 * empty (public client). A key is all of standard input. Errors: USAGE, those of `readTypedClient`.
 */
async function readCredentials(context: CommandContext): Promise<TypedCredentials | undefined> {
  const { args, stdin, canAsk, signal } = context;
  const typedId = optionValue(args, 'client-id');
  const wantsSecret = hasOption(args, 'client-secret-stdin');
  const wantsKey = hasOption(args, 'client-key-stdin');
  const isClientGrant = optionValue(args, 'grant') !== undefined;
  for (const name of ['assertion-file', 'identity-provider'] as const) {
    if (!hasOption(args, name) || typedId !== undefined) continue;
    throw new UsageError(`--${name} needs --client-id.`, args.command);
  }
  const missingCredential = new UsageError('--grant needs --client-id, and a client secret or a key.', args.command);
  if (isClientGrant && (typedId === undefined || !(canAsk || wantsSecret || wantsKey))) throw missingCredential;
  if (typedId === undefined) {
    const given = wantsKey ? '--client-key-stdin' : '--client-secret-stdin';
    if (wantsSecret || wantsKey) throw new UsageError(`${given} needs --client-id.`, args.command);
    return undefined;
  }
  if (wantsSecret && wantsKey) {
    throw new UsageError('Use either --client-secret-stdin or --client-key-stdin.', args.command);
  }
  const { clientId } = readTypedClient({ clientId: typedId });
  const secretExpiresAt = readSecretExpiry(args);
  const client = { clientId, ...(secretExpiresAt !== undefined && { secretExpiresAt }) };
  if (wantsKey) return { ...client, clientKey: readClientKey(await stdin.readAll(signal)) };
  if (!wantsSecret && !canAsk) return client;
  const clientSecret = await readSecretLine(context, 'Client secret (hidden; Enter if there is none): ');
  if (!clientSecret && isClientGrant) throw missingCredential;
  if (!clientSecret && !wantsSecret) return client;
  if (!clientSecret) throw new UsageError('Standard input has no client secret.', args.command);
  return { ...client, ...readTypedClient({ clientId, clientSecret }) };
}

/** Reads the first line of standard input, or asks without echo on a terminal. Errors: USAGE. */
async function readRegistrationToken(context: CommandContext): Promise<Secret | undefined> {
  const { args } = context;
  if (!hasOption(args, 'registration-token-stdin')) return undefined;
  const others = ['client-id', 'header'] as const;
  if (others.some((name) => optionValue(args, name) !== undefined)) {
    throw new UsageError('--registration-token-stdin cannot be used with --client-id or --header.', args.command);
  }
  const token = await readSecretLine(context, 'Registration token (hidden): ');
  if (!token || !/^[\u0021-\u007e]{1,8192}$/u.test(token)) {
    throw new UsageError('Standard input has no token of visible ASCII characters.', args.command);
  }
  return new Secret(token);
}

/** Midnight UTC on that day. Errors: USAGE. */
function readSecretExpiry(args: CommandContext['args']): number | undefined {
  const day = optionValue(args, 'client-secret-ends');
  if (day === undefined) return undefined;
  const expiresAt = /^\d{4}-\d{2}-\d{2}$/u.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(expiresAt))
    throw new UsageError('--client-secret-ends needs a day such as 2027-05-31.', args.command);
  return expiresAt;
}

function connectionFields(
  { integration, tools }: ConnectedServer,
  warnings: readonly CommandError[],
): Readonly<Record<string, unknown>> {
  return {
    integration: summarize(integration),
    tools: tools.map(({ name }) => name),
    warnings,
  };
}

function describeNextStep({ integration, tools }: ConnectedServer, memory: boolean): string {
  const name = printableLine(integration.name);
  if (integration.options.isIdentityProvider && !memory) {
    const words = `postern connect https://mcp.example.com/mcp ${writeOption('identity-provider', integration.name)}`;
    return `“${name}” is connected and can sign in to other servers.\nNext: ${words} --client-id ID`;
  }
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const names = tools.slice(0, 8).map((tool) => printableLine(tool.name, 40));
  const known = tools.length === 0 ? '' : ` with ${count}: ${names.join(', ')}${tools.length > 8 ? ', …' : ''}`;
  const sentence = `“${name}” is connected${known}.`;
  return memory
    ? `${sentence}\nNothing was saved, because of --memory.`
    : `${sentence}\nNext: ${writeServerCommand('tools', integration.name)}`;
}

/** May be a second account on purpose, or a mistake by a user who wanted to sign in again. */
function describeSameAddress({ integration, beside }: ConnectedServer): string {
  const names = beside.map(({ name }) => `“${printableLine(name)}”`).join(', ');
  const remove = writeServerCommand('remove', integration.name);
  return `This address is also connected as ${names}. To remove the new one: ${remove}`;
}

function replacedFields({ integration, revocation, registration }: RemovalResult): object {
  return { replaced: { integration: summarize(integration), revocation, registration } };
}

function describeReplacement({ integration, revocation, registration }: RemovalResult): string {
  return [
    `It replaces ${printableLine(integration.url)}, which was removed.`,
    revocationSentences[revocation],
    registrationDeletionSentences[registration],
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/**
 * `postern switch ID`: signs in again with a forced login, so that the user can choose another account. The current
 * sign-in stays until that succeeds. Errors: those of a sign-in, API_KEY_INSTEAD, NOT_FOUND.
 */
export async function switchAccount(context: CommandContext): Promise<CommandResult> {
  const { engine, integration } = await openIntegration(context);
  const mode = signInMode(context) ?? defaultSignInMode(process.env, process.platform);
  const switched = await signInAgain(signInScope(context, engine, mode), integration, { freshLogin: true });
  context.steps.clear();
  const account = describeAccount(switched);
  const who = account === undefined ? '' : `, as ${printableLine(account)}`;
  return {
    fields: { integration: summarize(switched) },
    text: `“${printableLine(switched.name)}” is signed in again${who}.`,
  };
}

/**
 * `postern with URL -- COMMAND …`: runs one command on a temporary connection. Stores nothing and opens no keychain.
 * `--sign-in` and `--json` apply to both, wherever they are given. Errors: those of `connect` and of the command; USAGE
 * for a command that does not run on one connection.
 */
export async function withServer(context: CommandContext): Promise<CommandResult> {
  const { args, commands } = context;
  const [url = '', word = '', ...words] = args.positionals;
  const allowed = commandsOnConnection(commands);
  const command = allowed.find((name) => name === word);
  if (command === undefined)
    throw new UsageError(
      `After --, “postern with” needs one of ${allowed.join(', ')}.${didYouMean(word, allowed)}`,
      args.command,
    );
  // Parse before the sign-in. The placeholder is replaced by the ID once it is known.
  const inner = parseArguments(commands, [command, ID, ...words]);
  const isToolHelp = wantsToolHelp(inner);
  const help = isToolHelp ? undefined : describeHelpOrVersion(commands, inner, context.output);
  if (help) return help;
  const engine = await context.openEngine({ memory: true });
  const signIn = args.options.get('sign-in') ?? inner.options.get('sign-in');
  const withSignIn = (options: OptionValues): OptionValues =>
    signIn === undefined ? options : new Map([...options, ['sign-in', signIn]]);
  const connectContext: CommandContext = {
    ...context,
    openEngine: async () => engine,
    args: { command: 'connect', positionals: [url], options: withSignIn(new Map([...args.options, ['memory', ['']]])) },
  };
  // By ID, because the list also has the servers of the profile.
  const { integration } = await connectAt(connectContext);
  const commandContext: CommandContext = {
    ...context,
    openEngine: async () => engine,
    args: {
      ...inner,
      options: withSignIn(inner.options),
      positionals: [integration.id, ...inner.positionals.slice(1)],
    },
  };
  if (isToolHelp) return await (await import('./call.ts')).toolHelp(commandContext, ['with', url, '--', 'call']);
  const run = await commands.specs[command].load();
  return await run(commandContext);
}

const ID = 'ID';
