import type { Integration, SignedInUser } from '../../../shared/integration.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { accountToolsFor } from '../../../shared/known-servers.ts';
import { displayText } from '../../address/display-text.ts';
import { usesApiKey } from '../../engine/records/api-key.ts';
import { integrationLock, loadHeaderValue } from '../../engine/records/stored-secrets.ts';
import type { ToolResult } from '../../engine/use/use-server.ts';
import { accountLength } from '../../limits.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import { readServer } from '../../operations/operation.ts';
import { callTool, listTools } from '../../operations/use.ts';
import { trackOutcome } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readJsonText } from '../views/display-json.ts';

type IdentityHandlers = Pick<IpcHandlers, 'integration:icon' | 'integration:identifyAccount'>;

/** The icon of a server, and the account that the user is signed in with. */
export function identityHandlers(context: DesktopContext): IdentityHandlers {
  const { ports, statuses, icons, serverPool, history } = context;

  /** Calls the first known "who am I" tool that the server lists. */
  async function askServer(integration: Integration): Promise<SignedInUser | undefined> {
    const scope = { ports, integration, access: { signal: new AbortController().signal, serverPool }, history };
    const { value: listed } = await listTools(scope);
    const tool = accountToolsFor(integration.url).find((known) =>
      listed.some((each) => each.name === known.name && canBeCalled(each, known.of !== undefined)),
    );
    if (!tool) return undefined;
    const call = { name: tool.name, arguments: tool.arguments ?? {} };
    return readAccount((await callTool(scope, call)).value);
  }

  /** The current API key: another key may belong to another account. */
  async function currentKey(integration: Integration): Promise<string | undefined> {
    if (!usesApiKey(integration)) return undefined;
    return (await loadHeaderValue(await ports.vault(), integration.id, integration.url))?.value.reveal();
  }

  return {
    'integration:icon': async ({ id, mark }) => {
      const { url } = await readServer(ports, id);
      return { data: (await icons.read(url, mark)) ?? null };
    },
    'integration:identifyAccount': async ({ id }) => {
      const integration = await readServer(ports, id);
      const key = await currentKey(integration);
      const account = await statuses.whileBusy(id, 'calling', () =>
        trackOutcome(context, integration, () => askServer(integration)),
      );
      if (!account) return { isKnown: false };
      // Store the result only if the sign-in or key is still the one that was used.
      const isSame = ({ signedInAt }: Integration): boolean => signedInAt === integration.signedInAt;
      await ports.locks.hold(integrationLock(id), async () => {
        if ((await currentKey(integration)) === key)
          await ports.store.update(id, (current) =>
            isSame(current) ? { ...current, user: { ...current.user, ...account } } : current,
          );
      });
      context.changed('integrations');
      return { isKnown: true };
    },
  };
}

/** A tool matched by name only must be marked read-only; no tool may be marked destructive. */
function canBeCalled({ annotations, inputSchema }: Tool, isKnownTool: boolean): boolean {
  if (annotations?.destructiveHint === true && annotations.readOnlyHint !== true) return false;
  return isKnownTool || (annotations?.readOnlyHint === true && (inputSchema.required?.length ?? 0) === 0);
}

/** Members that contain the account name, at top level or in one of `within`. */
const nameMembers = [
  'name',
  'display_name',
  'displayName',
  'fullname',
  'full_name',
  'login',
  'handle',
  'username',
] as const;
const emailMembers = ['email', 'email_address', 'emailAddress'] as const;
const containerMembers = [
  'user',
  'viewer',
  'me',
  'self',
  'account',
  'details',
  'person',
  'profile',
  'results',
] as const;
/** `You are signed in as Ada Example (ada@example.com).` Without `as` it may mean anything: `You are rate limited`. */
const signedInSentence =
  /^You are (?:authenticated|logged in|signed in) as ([^\n()]{1,100}?)(?: \(([^()\s]+@[^()\s]+)\))?\.?$/u;
/** Characters of a text that are parsed. */
const maxText = 20_000;
const emailPattern = /^[^\s@]+@[^\s@]+$/u;

/** The account in the result of a "who am I" tool; `undefined` if it cannot be determined. */
export function readAccount({ structuredContent, content, isError }: ToolResult): SignedInUser | undefined {
  if (isError === true) return undefined;
  const texts = content.flatMap((each) => (each.type === 'text' ? each.text.slice(0, maxText) : []));
  const found = [structuredContent, ...texts.map(parse)].map((value) => findAccount(value)).find(Boolean);
  return found ?? texts.map(parseSentence).find(Boolean);
}

function parse(text: string): unknown {
  return readJsonText(text);
}

function findAccount(value: unknown, depth = 0): SignedInUser | undefined {
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  if (Array.isArray(value)) return value.length === 1 ? findAccount(value[0], depth + 1) : undefined;
  const object = value as Readonly<Record<string, unknown>>;
  if (looksLikeError(object)) return undefined;
  const inner = containerMembers.map((member) => findAccount(ownMember(object, member), depth + 1)).find(Boolean);
  const name = firstText(object, nameMembers) ?? inner?.name;
  const email = firstText(object, emailMembers, emailPattern) ?? inner?.email;
  return toAccount(name, email);
}

/** Error objects also have a `name`, and may contain a contact address. */
function looksLikeError(object: Readonly<Record<string, unknown>>): boolean {
  const isError = ['error', 'errors', 'exception', 'stack'].some((member) => Boolean(ownMember(object, member)));
  const isRefused = ['status', 'statusCode', 'code'].some((member) => Number(ownMember(object, member)) >= 400);
  const isNegative = ['ok', 'success'].some((member) => ownMember(object, member) === false);
  return isError || isRefused || isNegative || /(?:Error|Exception)$/u.test(String(ownMember(object, 'name')));
}

function firstText(
  object: Readonly<Record<string, unknown>>,
  members: readonly string[],
  pattern = /./u,
): string | undefined {
  return members
    .map((member) => ownMember(object, member))
    .map((value) =>
      typeof value === 'string' && value.length <= accountLength ? displayText(value, accountLength) : '',
    )
    .find((text) => pattern.test(text));
}

const ownMember = (object: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined;

function parseSentence(text: string): SignedInUser | undefined {
  const line = text.split('\n', 1)[0]?.slice(0, 500) ?? '';
  const [, name = '', email = ''] = signedInSentence.exec(line) ?? [];
  return toAccount(displayText(name, accountLength) || undefined, displayText(email, accountLength) || undefined);
}

function toAccount(name: string | undefined, email: string | undefined): SignedInUser | undefined {
  if (name === undefined && email === undefined) return undefined;
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}
