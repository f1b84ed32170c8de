import type { Person } from '../../../shared/person.ts';
import { displayText } from '../../address/display-text.ts';
import type { ToolResult } from '../../integration/use/use-server.ts';
import { accountLength } from '../../limits.ts';
import { readJsonText } from './read-json-text.ts';

/** Members in which services name a person, by themselves or in one of `within`. */
const names = ['name', 'display_name', 'displayName', 'fullname', 'full_name', 'login', 'handle', 'username'] as const;
const emails = ['email', 'email_address', 'emailAddress'] as const;
const within = ['user', 'viewer', 'me', 'self', 'account', 'details', 'person', 'profile', 'results'] as const;
/** `You are signed in as Ada Example (ada@example.com).` Without `as` it may be anything: `You are rate limited`. */
const sentence =
  /^You are (?:authenticated|logged in|signed in) as ([^\n()]{1,100}?)(?: \(([^()\s]+@[^()\s]+)\))?\.?$/u;
/** Characters of a text that are looked at. */
const longest = 20_000;
const someEmail = /^[^\s@]+@[^\s@]+$/u;

/** Who a "who am I" tool says that it is; `undefined` where that cannot be told. */
export function readPerson({ structuredContent, content, isError }: ToolResult): Person | undefined {
  if (isError === true) return undefined;
  const texts = content.flatMap((each) => (each.type === 'text' ? each.text.slice(0, longest) : []));
  const found = [structuredContent, ...texts.map(parse)].map((value) => personIn(value)).find(Boolean);
  return found ?? texts.map(inSentence).find(Boolean);
}

function parse(text: string): unknown {
  return readJsonText(text);
}

function personIn(value: unknown, depth = 0): Person | undefined {
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  if (Array.isArray(value)) return value.length === 1 ? personIn(value[0], depth + 1) : undefined;
  const object = value as Readonly<Record<string, unknown>>;
  if (saysItFailed(object)) return undefined;
  const inner = within.map((member) => personIn(own(object, member), depth + 1)).find(Boolean);
  const name = firstText(object, names) ?? inner?.name;
  const email = firstText(object, emails, someEmail) ?? inner?.email;
  return asPerson(name, email);
}

/** An error has a name, too, and may give an address to turn to. */
function saysItFailed(object: Readonly<Record<string, unknown>>): boolean {
  const isError = ['error', 'errors', 'exception', 'stack'].some((member) => Boolean(own(object, member)));
  const isRefused = ['status', 'statusCode', 'code'].some((member) => Number(own(object, member)) >= 400);
  const isNot = ['ok', 'success'].some((member) => own(object, member) === false);
  return isError || isRefused || isNot || /(?:Error|Exception)$/u.test(String(own(object, 'name')));
}

function firstText(
  object: Readonly<Record<string, unknown>>,
  members: readonly string[],
  form = /./u,
): string | undefined {
  return members
    .map((member) => own(object, member))
    .map((value) =>
      typeof value === 'string' && value.length <= accountLength ? displayText(value, accountLength) : '',
    )
    .find((text) => form.test(text));
}

const own = (object: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined;

function inSentence(text: string): Person | undefined {
  const line = text.split('\n', 1)[0]?.slice(0, 500) ?? '';
  const [, name = '', email = ''] = sentence.exec(line) ?? [];
  return asPerson(displayText(name, accountLength) || undefined, displayText(email, accountLength) || undefined);
}

function asPerson(name: string | undefined, email: string | undefined): Person | undefined {
  if (name === undefined && email === undefined) return undefined;
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}
