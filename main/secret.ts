import { inspect } from 'node:util';
import { isAddressPart } from '../shared/header-name.ts';
import type { LocalCommand } from '../shared/local-command.ts';
import { decidesCode, variableName } from '../shared/shown-command.ts';
import type { ShownVariable } from '../shared/shown-command.ts';

/**
 * What must not be seen, a string where nothing else is said: token, client secret, code verifier, authorization code.
 * Every rendering prints `[secret]`; only `reveal()` gives the value, so each use can be found by name.
 */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** Stands for the part of a text that looks like a secret. */
const hiddenPart = '…';

/** A value under such a name is a secret: the last word of the name decides, so that TOKEN_LIMIT is none. */
const secretName =
  /^(?:(?!(?:mon|hot|tur|don|joc|hoc|whis|public|pub|foreign|primary|sort|partition)key).*keys?|.*(?:tokens?|secrets?|passwords?|passwd|passphrase|passcode)|pass|pwd|pw|psw|pswd|creds?|credentials?|authorization|bearer|pat|jwt|cookie|signature|sig|dsn)$/u;
/** Names of secrets and of other things: there the value decides too. */
const doubtfulName = /^(?:auth|access|sas|licen[cs]e|session|sid|k)$/u;
/** Under these a number is a secret as well. */
const numericName = /^(?:.*(?:passwords?|passwd|passcode)|pass|pwd|pw|psw|pswd|pin|otp)$/u;
/** After the word that decides: OPENAI_API_KEY_2, --api-key-value, ?api_key_prod. */
const addition =
  /^(?:\d+|value|val|string|text|prod|production|dev|development|test|testing|stage|staging|live|sandbox|main|primary|secondary|default|new|old)$/u;
/** `--no-token x` and its like take no value. */
const switchName = /^(?:no|disable|skip|allow|use|with|enable)[-_]/iu;
/** The one form that is longer than a word. */
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*/gu;
/** Forms that services give their keys, and JSON Web Tokens (RFC 7519). */
const knownForms = [
  'sk-[\\w-]{16,}',
  '(?:sk|pk|rk)_(?:live|test)_\\w{10,}',
  'gh[oprsu]_[A-Za-z0-9]{20,}',
  'github_pat_\\w{20,}',
  'glpat-[\\w-]{16,}',
  'xox[abeprs]-[\\w-]{10,}',
  'xapp-[\\w-]{10,}',
  'A[KS]IA[A-Z0-9]{16}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{20,}',
  'eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)*',
  'npm_\\w{30,}',
  '(?:hf|ntn|secret|lin_api|gsk|sbp|r8|dop_v1|shpat|figd|tvly|fc)[_-][\\w-]{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'pat[A-Za-z0-9]{14}\\.\\w{30,}',
  'dapi[a-f0-9]{32}',
  'BSA[\\w-]{20,}',
  privateKey.source,
  '(?<=hooks\\.slack\\.com/services/)[\\w/]{8,}',
  '(?<=discord(?:app)?\\.com/api/webhooks/\\d{1,25}/)[\\w-]{8,}',
];
const knownForm = new RegExp(`(?<![\\w-])(?:${knownForms.join('|')})`, 'gu');
const scheme = /^((?:Bearer|Basic|Token|ApiKey|Api-Key) +)\S.*$/iu;
/** A password or a key before the host of an address. */
const userInfo = /([a-z][a-z0-9+.-]*:\/\/)([^/\s:@?#]*)(?::([^/\s@?#]*))?@/giu;
/** `"apiKey": "…"`, also within a text that is itself in quotes, in single quotes or in none, and a line of YAML. */
const jsonPair =
  /(?<![\w.-])(\\*["']?)([\w.-]{1,80})\1(\s*:(?:\s+|(?!\/)))(\\*["']?)((?:(?:Bearer|Basic|Token) +)?[^"'\\,}\s]+)/giu;
/** In an address, a connection string, or before a command. */
const valueName = /([?&]?)([\w.%[\]-]{1,80})=\\*["']?/gu;
const nextValue = /[^;&\s"']+/uy;
const header = /^([\w-]{1,64}):(\s+|(?!\/))([^\n]+)$/u;
const placed = /[a-z][a-z0-9+.-]*:\/\/[^\s"'?#]+/giu;
/** A name with its password (RFC 7617), as `curl -u` and its like take it. */
const userOption = /^-(?:u|-user|-auth|-userpwd|-basic-auth|-proxy-user)$/u;
const userPassword = /^(?!\d+:\d+$)[^\s:/]+:(?!\/\/)./u;
/** An option that says whose password comes, and a name that is neither an id nor a script. */
const nameOption = /^-(?:u|-?user|-?user-?name|-login)$/iu;
const userName = /^(?!\d+(?::\d+)?$)(?!.*\.(?:[cm]?[jt]s|py|rb|sh|json)$)[\w.@+\\-]+$/u;
/** Behind `-p`: ports, their mappings, the place of a file, and code, which has to be seen. */
const noPasswordBehindP = /^[\d.:[\]-]+(?:\/\w+)?$|^~|[/\\\s;|<>()`"']|\.[a-z]{2,5}$/iu;
/** What `-p` may be the first letter of. */
const longAfterP =
  /^(?:ac?kages?|age|aging|arallel|arams?|ass|assword|aths?|attern|ersist|id|ing|latform|lugins?|oll|ool|orts?|reset|refix|retty|rint|rivate|rocess|rod|roduction|rofiles?|rogress|rojects?|rompt|rotocol|rovider|roxy|ublic|ull|ush|wd)$/iu;
/** Without a name beside it: signs that names and versions do not have, or a digit amid letters. */
const passwordForm = /^(?=.{4})[^:]*[!#%^&]|^(?=.{6})[a-z]+\d+[a-z][a-z\d]*$/iu;
/** Key, token, password, and other things: there the value decides. */
const shortOption = /^-[aktp]$/iu;
/** `-pVALUE`, `-u=NAME:PASSWORD` and `--user=NAME:PASSWORD`: an option with its value. */
const gluedOption = /^(?:(-[a-z])=?|(--[a-z][\w.-]{0,80})=)(.+)$/isu;
/** What some services want in the place of a password that the name is. */
const noPassword = /^(?:x|x-oauth-basic)?$/iu;
/** A segment of a path behind the name of a secret that is none. */
const endpoint = /^(?:mcp|sse|messages?|stream|http|api|rpc|v\d+|key-(?:hidden|[0-9a-f]{8})|)$/iu;
const place = /^(?:~|\.{1,2}|[A-Za-z]:)[/\\]|^\/(?:home|Users|etc|run|var|opt|usr|tmp|mnt|root|private|secrets)\//u;
const reference = /^(?:\$\{.*\}|\$\w+|<.*>|)$/u;
/** The place of a file, whose name tells what is used: a key there is none of the user's. */
const wholePlace =
  /^(?:(?:~|\.{1,2}|[A-Za-z]:)[/\\]|\/(?:home|Users|etc|run|var|opt|usr|tmp|mnt|root|private|secrets)\/|\/(?=.*\.[a-z0-9]{1,5}$))[^\s?=&@;|<>()`"']+$/u;
/** What a shell or an interpreter is told to run stands behind it. */
const codeOption =
  /^(?:-[A-Za-z]{0,4}[ceE]|-[rS]|--(?:eval|print|exec|run|command|call|split-string)|-Command|\/[ckCK]|eval)$/u;
/** Of an assignment: more stands behind its value than a value. */
const runsOn = /[;|&<>`]\s|\s(?:[;|&<>/~-]|\.{1,2}\/)/u;
/** A shell puts the output of a command there. */
const substitution = /\$\(|`[^`]*`/u;
/** Words of a shell, each with its quotes. */
const shellWord = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"';|&<>()`\\]|["'])+/gsu;

/** Whether a value under this name is a secret, or has the form of one. */
function looksSecret(name: string, value: string): boolean {
  return hideValue(name, value) !== value;
}

/** A value with what looks like a secret left out. */
export function hideValue(name: string, value: string): string {
  return isSecretUnder(name, value) ? hiddenPart : hideSecretsIn(value);
}

/** The same of a text that has no name. Of several words that are no line for a shell nothing is left. */
function hideSecretsIn(text: string): string {
  if (wholePlace.test(text)) return text;
  const named = /^(-{0,2}[\w.-]{1,80})=(.*)$/su.exec(text);
  if (named && !text.startsWith('-') && (runsOn.test(text) || substitution.test(text))) return hideInLine(text);
  if (named && isSecretUnder(named[1] ?? '', named[2] ?? '')) return `${named[1]}=${hiddenPart}`;
  if (named && isSecretName(named[1] ?? '')) return text;
  if (named?.[1]?.startsWith('-')) return `${named[1]}=${hideSecretsIn(named[2] ?? '')}`;
  const line = header.exec(text);
  if (line && (isSecretUnder(line[1] ?? '', line[3] ?? '') || isKeyLike(line[3] ?? '')))
    return `${line[1]}:${line[2]}${hiddenPart}`;
  if (scheme.test(text)) return text.replace(scheme, (_all, kind: string) => kind + hiddenPart);
  const shown = hideParts(text);
  if (!/\s/u.test(text) || (shown === text && !hasSecretWord(text))) return shown;
  return /^\s*[{[]/u.test(text) ? hiddenPart : hideInLine(text);
}

/**
 * A line of code without its secrets, each hidden alone: whoever allows it has to see what runs. Where something still
 * looks like one, nothing of it is left.
 */
function hideInLine(line: string): string {
  const text = line.replace(privateKey, hiddenPart);
  const words = Array.from(text.matchAll(shellWord), ([word]) => withoutQuotes(word));
  if (words.length === 1 && words[0] === text) return hideSecretsIn(text);
  const hidden = hideSecretWords(words).map((shown, index) => {
    const name = /([\w.-]{1,80}):$/u.exec(words[index - 1] ?? '')?.[1];
    return name !== undefined && isSecretUnder(name, words[index] ?? '') ? hiddenPart : shown;
  });
  let index = -1;
  const shown = text.replace(shellWord, (word) => {
    index += 1;
    return hidden[index] === words[index] ? word : (hidden[index] ?? hiddenPart);
  });
  return hasSecretWord(shown) ? hiddenPart : shown;
}

/** As a shell would hand it over. */
function withoutQuotes(word: string): string {
  return word.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gsu,
    (_all, double?: string, single?: string, one?: string) =>
      double === undefined ? (single ?? one ?? '') : double.replaceAll(/\\(["\\$`])/gu, '$1'),
  );
}

function hideParts(text: string): string {
  return hideNamedValues(text)
    .replace(userInfo, (_all, start: string, user: string, password?: string) => {
      const isKey = isRandom(user) || isKeyLike(user) || (password !== undefined && noPassword.test(password));
      return `${start}${isKey && user !== '' ? hiddenPart : user}${password === undefined ? '' : `:${hiddenPart}`}@`;
    })
    .replace(placed, (all) => {
      const segments = all.split('/');
      return segments.map((segment, index) => (isBehindName(segments, index, 3) ? hiddenPart : segment)).join('/');
    })
    .replace(jsonPair, (all, quote: string, name: string, colon: string, open: string, value: string) =>
      isSecretUnder(name, value) ? `${quote}${name}${quote}${colon}${open}${hiddenPart}` : all,
    )
    .replace(knownForm, hiddenPart)
    .replace(/(?<![\w+/=-])e[\w+/-]{15,}={0,2}/gu, (run) => (isEncodedTable(run) ? hiddenPart : run))
    .replace(/(?<![#@:\w-])[A-Za-z0-9_-]{20,}/gu, (run) => (isRandom(run) ? hiddenPart : run));
}

/** `X=1,API_TOKEN=…`: a value may itself have names in it. */
function hideNamedValues(text: string): string {
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(valueName)) {
    const [all, before = '', name = ''] = match;
    const start = match.index + all.length;
    if (match.index < at || !(isSecretName(name) || isDoubtfulName(name) || before !== '')) continue;
    nextValue.lastIndex = start;
    const value = nextValue.exec(text)?.[0] ?? '';
    if (!isSecretUnder(name, value) && !isQueryKey(name, value)) continue;
    shown += text.slice(at, start) + hiddenPart;
    at = start + value.length;
  }
  return shown + text.slice(at);
}

/** Whether one of the words that a shell would make of a text is a secret, quoted or not. */
function hasSecretWord(text: string): boolean {
  const quoted = Array.from(text.matchAll(shellWord), ([word]) => withoutQuotes(word));
  const plain = text.split(/[\s"'\\`;|()]+/u);
  return [quoted, plain].some((words) =>
    hideSecretWords(words.filter((word) => word !== text)).some((word, index) => word !== words[index]),
  );
}

/** The words after a program, each without what looks like a secret; `--api-key X` hides the word behind it. */
export function hideSecretWords(words: readonly string[]): readonly string[] {
  const named = words.findIndex((word, index) => isNameOfUser(words[index - 1] ?? '', word));
  return words.map((word, index) => {
    const hasName = named >= 0 && named !== index && named <= index + 2;
    const before = words[index - 1] ?? '';
    const option = /^--?([\w.-]{2,80})$/u.exec(before)?.[1];
    const isOption = /^(?:--[a-z]|-.{0,3}$)/iu.test(word);
    if (option !== undefined && !isOption && isSecretUnder(option, word)) return hiddenPart;
    // Some take a variable behind `-e`.
    if (codeOption.test(before) && !(before === '-e' && /^\w+=/u.test(word))) return hideInLine(word);
    if (isSecretBehind(before, word, hasName)) return hiddenPart;
    const shown = hideSecretsIn(word);
    const [, short, long, value = ''] = (shown === word && gluedOption.exec(word)) || [];
    if (isSecretBehind(short ?? long ?? '', value, hasName && !longAfterP.test(value)))
      return `${word.slice(0, -value.length)}${hiddenPart}`;
    return short === undefined ? shown : `${word.slice(0, -value.length)}${hideSecretsIn(value)}`;
  });
}

/** `-u NAME`, `-uNAME`, `--user=NAME`. */
function isNameOfUser(before: string, word: string): boolean {
  if (nameOption.test(before)) return userName.test(word);
  const [, short, long, value = ''] = gluedOption.exec(word) ?? [];
  return nameOption.test(short ?? long ?? '') && userName.test(value);
}

/** Whether an option means its value as a secret, by the form of that; `hasName`: the name of a user is there. */
function isSecretBehind(option: string, value: string, hasName: boolean): boolean {
  if (/^-p$/iu.test(option) && isWholeSecret(value) && !noPasswordBehindP.test(value)) {
    if (hasName || passwordForm.test(value)) return true;
  }
  if (shortOption.test(option)) return isKeyLike(value);
  return userOption.test(option) && userPassword.test(value) && !isOpen(value);
}

/** A program as it may be shown: some write its words behind it, where it is the name of no file. */
export function shownProgram(program: string): string {
  if (hideSecretsIn(program) === program) return program;
  const [first = ''] = program.trim().split(/\s/u);
  return first === program ? hideSecretsIn(program) : `${hideSecretsIn(first)} ${hiddenPart}`;
}

/** A part of an address as `isAddressPart` names it, percent-encoded as it stood there. */
interface SecretPart {
  readonly name: string;
  readonly value: string;
}

interface SplitAddress {
  readonly href: string;
  readonly parts: readonly SecretPart[];
}

/** An address without what looks like a secret in its query. */
export function splitQuery(address: string): SplitAddress {
  const url = new URL(address);
  const pairs = url.search.slice(1).split('&');
  const secrets = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    const part = { name: `?${pair.slice(0, at)}`, value: pair.slice(at + 1) };
    const [name, value] = [decoded(pair.slice(0, at)), decoded(part.value)];
    const isSecret = looksSecret(name, value) || isQueryKey(name, value);
    return at > 0 && isAddressPart(part.name) && isSecret ? [{ pair, part }] : [];
  });
  if (secrets.length === 0) return { href: address, parts: [] };
  url.search = pairs.filter((pair) => !secrets.some((secret) => secret.pair === pair)).join('&');
  return { href: url.href, parts: secrets.map(({ part }) => part) };
}

/**
 * An address without what looks like a secret in its query and path. A segment of the path leaves a mark that is the
 * same for the same secret, so that two servers that differ in it alone stay two.
 */
export function splitAddress(address: string): SplitAddress {
  const inQuery = splitQuery(address);
  const url = new URL(inQuery.href);
  const segments = url.pathname.split('/');
  const inPath = segments.flatMap((segment, index) => {
    const part = { name: `/${index}`, value: segment };
    const isSecret = isBehindName(segments, index, 1) || hideSecretsIn(decoded(segment)) !== decoded(segment);
    return isAddressPart(part.name) && isSecret ? [part] : [];
  });
  if (inPath.length === 0) return inQuery;
  const marked = segments.map((segment, index) =>
    inPath.some(({ name }) => name === `/${index}`) ? markOf(segment) : segment,
  );
  url.pathname = marked.join('/');
  return { href: url.href, parts: [...inQuery.parts, ...inPath] };
}

/** An address as the list keeps it, without its keys. Text that is not an address comes back unchanged. */
export function withoutKeys(address: string): string {
  return URL.canParse(address) ? splitAddress(address).href : address;
}

/** An address with a part put in again. */
export function withPart(address: URL, { name, value }: SecretPart): URL {
  const url = new URL(address);
  if (name.startsWith('?')) {
    url.search = [url.search.slice(1), `${name.slice(1)}=${value}`].filter((each) => each !== '').join('&');
    return url;
  }
  const segments = url.pathname.split('/');
  const index = Number(name.slice(1));
  if (segments[index] !== markOf(value)) return url;
  segments[index] = value;
  url.pathname = segments.join('/');
  return url;
}

/** 32 bits of its hash tell nothing of a random text; of any other they would. */
function markOf(secret: string): string {
  const plain = decoded(secret);
  if (!isRandom(plain) && plain.replace(knownForm, '') !== '') return 'key-hidden';
  return `key-${process.getBuiltinModule('node:crypto').createHash('sha256').update(secret).digest('hex').slice(0, 8)}`;
}

/** What cannot be decoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name under which the vault holds an argument; no variable can have it. */
const argumentName = (index: number): string => `=${index}`;

/** Names of the values of a command in the vault. */
export function isValueName(name: string): boolean {
  return variableName.test(name) || /^=\d{1,3}$/u.test(name);
}

/** All that the vault has to hold before a command can run. */
export function valueNames({ variables, sealed = [] }: Pick<LocalCommand, 'variables' | 'sealed'>): readonly string[] {
  return [...variables, ...sealed.map(argumentName)];
}

/**
 * What whoever allows a command sees of its variables: those that can decide which code runs, and all that came out of a
 * list, since nobody has typed them.
 */
export function shownVariables(
  { variables, from }: Pick<LocalCommand, 'variables' | 'from'>,
  values: Readonly<Record<string, string>>,
): readonly ShownVariable[] {
  return variables.flatMap((name) => {
    const value = values[name];
    const decides = decidesCode(name);
    return value !== undefined && (decides || from !== undefined)
      ? [{ name, value: decides && !isSecretName(name) ? hideInLine(value) : hideValue(name, value), decides }]
      : [];
  });
}

/** A command without the secrets among its arguments, which go to its values. */
export function sealCommand(
  command: LocalCommand,
  values: Readonly<Record<string, string>>,
): { readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> } {
  const before = command.sealed ?? [];
  const shown = hideSecretWords(command.arguments);
  // What was sealed before is shown with its secret left out.
  const coming = command.arguments.flatMap((word, index) =>
    shown[index] === word || before.includes(index) ? [] : [index],
  );
  if (coming.length === 0) return { command, values };
  const hidden = coming.map((index) => [argumentName(index), command.arguments[index] ?? ''] as const);
  const sealed = [...before, ...coming].toSorted((one, other) => one - other);
  const words = command.arguments.map((word, index) => (coming.includes(index) ? (shown[index] ?? word) : word));
  return {
    command: { ...command, arguments: words, sealed },
    values: { ...values, ...Object.fromEntries(hidden) },
  };
}

/** As it may be shown: an earlier version left secrets in the list, which the next start seals. */
export function sealedEntry<Entry extends { readonly url: string; readonly command?: LocalCommand | undefined }>(
  entry: Entry,
): Entry {
  const { url, command } = entry;
  if (command) return { ...entry, command: sealCommand(command, {}).command };
  return { ...entry, url: withoutKeys(url) };
}

/** The arguments as the program is given them. */
export function wholeArguments(
  { arguments: words, sealed = [] }: Pick<LocalCommand, 'arguments' | 'sealed'>,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return words.map((word, index) => (sealed.includes(index) ? (values[argumentName(index)] ?? word) : word));
}

/** Whether a value is a secret by its name. */
function isSecretUnder(name: string, value: string): boolean {
  if (isDoubtfulName(name)) return isKeyLike(value);
  return isSecretName(name) && (isWholeSecret(value) || (/^\d{2,}$/u.test(value) && numericName.test(lastWord(name))));
}

/** Whether the values of a member, an option or a variable of this name are secrets. */
export function isSecretName(name: string): boolean {
  const last = lastWord(name);
  return secretName.test(last) || numericName.test(last);
}

function isDoubtfulName(name: string): boolean {
  return doubtfulName.test(lastWord(name));
}

/** Of a name, the word that decides; none of a switch. */
function lastWord(name: string): string {
  if (switchName.test(name)) return '';
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  const words = parts.filter((word) => word !== '');
  return (words.findLast((word) => !addition.test(word)) ?? '').replace(/\d+$/u, '');
}

/** The key of a function of Azure; shorter codes are those of languages and countries. */
function isQueryKey(name: string, value: string): boolean {
  return name === 'code' && value.length >= 8 && isWholeSecret(value);
}

/** `/token/…`, from the segment `first` on. */
function isBehindName(segments: readonly string[], index: number, first: number): boolean {
  const [name = '', value = ''] = [segments[index - 1], segments[index]].map((segment) => decoded(segment ?? ''));
  return index > first && isSecretName(name) && !endpoint.test(value) && isWholeSecret(value);
}

/** A table of settings in Base64 (RFC 4648), as some services want it in an address. */
function isEncodedTable(text: string): boolean {
  try {
    const table: unknown = JSON.parse(Buffer.from(text, 'base64').toString());
    return typeof table === 'object';
  } catch {
    return false;
  }
}

/** Under the name of a secret; the place of a file, a number and what is to be filled in are none. */
function isWholeSecret(value: string): boolean {
  return (
    value.length > 1 &&
    !value.startsWith(hiddenPart) &&
    !/^(?:true|false|none|null|\d{1,6})$/iu.test(value) &&
    !place.test(value) &&
    !isOpen(value)
  );
}

/** Eight signs or more, letters and digits among them, and no file, address, image, version or number with its unit. */
function isKeyLike(word: string): boolean {
  return (
    /^[\w+=~!@#$%^&*.-]{8,}$/u.test(word) &&
    /\d/u.test(word) &&
    /[a-z]/iu.test(word) &&
    !/^[@a-z][a-z-]*[@.:-]v?\d+(?:[.-]\d+)*(?:[.-]?[a-z]+[.-]?\d*)?$|\.[a-z]{2,4}$|^\d+[a-z]+$/iu.test(word) &&
    isWholeSecret(word)
  );
}

/** `${KEY}` and `<your key>` are filled in by somebody, `$(command)` by what runs then. */
function isOpen(value: string): boolean {
  return substitution.test(value) || reference.test(value.replace(/^(?:Bearer|Basic|Token) +/iu, ''));
}

/** Whether nobody would have made it up: hexadecimal digits of 128 bits, or letters and digits that change all the time. */
function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/iu.test(text)) return true;
  if (text.length < 20 || !/[a-z]/u.test(text) || !/[A-Z]/u.test(text) || !/\d.*\d/u.test(text)) return false;
  const kinds = Array.from(text, (character) => (/\d/u.test(character) ? 0 : /[a-z]/u.test(character) ? 1 : 2));
  return kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length / text.length >= 0.35;
}
