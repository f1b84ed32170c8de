import { inspect } from 'node:util';
import { isAddressPart } from '../shared/header-name.ts';
import type { LocalCommand } from '../shared/local-command.ts';
import { canChangeCode, variableName } from '../shared/command-display.ts';
import type { ShownVariable } from '../shared/command-display.ts';

/**
 * A value that must never be printed: token, client secret, code verifier, authorization code. Every rendering shows
 * `[secret]`; only `reveal()` returns the value, so that every use can be searched for.
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

/** Replaces the part of a text that looks like a secret. */
const redacted = '…';

/** Names of secrets, by their last word, so that TOKEN_LIMIT is not one. */
const secretName =
  /^(?:(?!(?:mon|hot|tur|don|joc|hoc|whis|public|pub|foreign|primary|sort|partition)key).*keys?|.*(?:tokens?|secrets?|passwords?|passwd|passphrase|passcode)|pass|pwd|pw|psw|pswd|creds?|credentials?|authorization|bearer|pat|jwt|cookie|signature|sig|dsn)$/u;
/** Ambiguous names: the value decides too. */
const doubtfulName = /^(?:auth|access|sas|licen[cs]e|session|sid|k)$/u;
/** Names under which a number can be a secret, too. */
const numericName = /^(?:.*(?:passwords?|passwd|passcode)|pass|pwd|pw|psw|pswd|pin|otp)$/u;
/** Suffixes after the deciding word: OPENAI_API_KEY_2, --api-key-value, ?api_key_prod. */
const nameSuffix =
  /^(?:\d+|value|val|string|text|prod|production|dev|development|test|testing|stage|staging|live|sandbox|main|primary|secondary|default|new|old)$/u;
/** Switches such as `--no-token` take no value. */
const switchName = /^(?:no|disable|skip|allow|use|with|enable)[-_]/iu;
/** The only form with several words. */
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*/gu;
/** Known key formats of services, and JSON Web Tokens (RFC 7519). */
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
/** User info of a URL: a password or a key. */
const userInfo = /([a-z][a-z0-9+.-]*:\/\/)([^/\s:@?#]*)(?::([^/\s@?#]*))?@/giu;
/** `"apiKey": "…"`, also with escaped, single or no quotes, and as a YAML line. */
const jsonPair =
  /(?<![\w.-])(\\*["']?)([\w.-]{1,80})\1(\s*:(?:\s+|(?!\/)))(\\*["']?)((?:(?:Bearer|Basic|Token) +)?[^"'\\,}\s]+)/giu;
/** `name=value` in a URL, in a connection string, or before a command. */
const valueName = /([?&]?)([\w.%[\]-]{1,80})=\\*["']?/gu;
const nextValue = /[^;&\s"']+/uy;
const header = /^([\w-]{1,64}):(\s+|(?!\/))([^\n]+)$/u;
const addressPath = /[a-z][a-z0-9+.-]*:\/\/[^\s"'?#]+/giu;
/** Options with `name:password` (RFC 7617), such as `curl -u`. */
const userOption = /^-(?:u|-user|-auth|-userpwd|-basic-auth|-proxy-user)$/u;
const userPassword = /^(?!\d+:\d+$)[^\s:/]+:(?!\/\/)./u;
/** A user name option, and a name that is neither a numeric id nor a script. */
const nameOption = /^-(?:u|-?user|-?user-?name|-login)$/iu;
const userName = /^(?!\d+(?::\d+)?$)(?!.*\.(?:[cm]?[jt]s|py|rb|sh|json)$)[\w.@+\\-]+$/u;
/** Values of `-p` that are not passwords: ports, port mappings, file paths, and code, which must stay visible. */
const notPasswordAfterP = /^[\d.:[\]-]+(?:\/\w+)?$|^~|[/\\\s;|<>()`"']|\.[a-z]{2,5}$/iu;
/** Rest of options and words that start with `-p`. */
const longAfterP =
  /^(?:ac?kages?|age|aging|arallel|arams?|ass|assword|aths?|attern|ersist|id|ing|latform|lugins?|oll|ool|orts?|reset|refix|retty|rint|rivate|rocess|rod|roduction|rofiles?|rogress|rojects?|rompt|rotocol|rovider|roxy|ublic|ull|ush|wd)$/iu;
/** Without a user name nearby: characters that names and versions lack, or digits among letters. */
const passwordForm = /^(?=.{4})[^:]*[!#%^&]|^(?=.{6})[a-z]+\d+[a-z][a-z\d]*$/iu;
/** May mean key, token or password: the value decides. */
const shortOption = /^-[aktp]$/iu;
/** `-pVALUE`, `-u=NAME:PASSWORD` and `--user=NAME:PASSWORD`: option and value in one word. */
const gluedOption = /^(?:(-[a-z])=?|(--[a-z][\w.-]{0,80})=)(.+)$/isu;
/** Dummy passwords, for services where the user name is the key. */
const noPassword = /^(?:x|x-oauth-basic)?$/iu;
/** Path segments after a secret's name that are not secrets. */
const endpointSegment = /^(?:mcp|sse|messages?|stream|http|api|rpc|v\d+|key-(?:hidden|[0-9a-f]{8})|)$/iu;
const localPath = /^(?:~|\.{1,2}|[A-Za-z]:)[/\\]|^\/(?:home|Users|etc|run|var|opt|usr|tmp|mnt|root|private|secrets)\//u;
const reference = /^(?:\$\{.*\}|\$\w+|<.*>|)$/u;
/** A file path. It has to stay visible, and what looks like a key in it is not the user's. */
const wholeLocalPath =
  /^(?:(?:~|\.{1,2}|[A-Za-z]:)[/\\]|\/(?:home|Users|etc|run|var|opt|usr|tmp|mnt|root|private|secrets)\/|\/(?=.*\.[a-z0-9]{1,5}$))[^\s?=&@;|<>()`"']+$/u;
/** Options followed by code for a shell or an interpreter. */
const codeOption =
  /^(?:-[A-Za-z]{0,4}[ceE]|-[rS]|--(?:eval|print|exec|run|command|call|split-string)|-Command|\/[ckCK]|eval)$/u;
/** An assignment followed by more than its value. */
const continuation = /[;|&<>`]\s|\s(?:[;|&<>/~-]|\.{1,2}\/)/u;
/** Command substitution. */
const substitution = /\$\(|`[^`]*`/u;
/** Shell words, including their quotes. */
const shellWord = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"';|&<>()`\\]|["'])+/gsu;

/** Whether a value is a secret by its name or its form. */
function looksSecret(name: string, value: string): boolean {
  return hideValue(name, value) !== value;
}

/** Redacts what looks like a secret in a named value. */
export function hideValue(name: string, value: string): string {
  return isSecretByName(name, value) ? redacted : hideSecretsIn(value);
}

/** Shorter than any key whose form is known, and without a name for it. */
const harmlessWord = /^[\w.-]{0,14}$/u;

/** Redacts an unnamed text. JSON with secrets is redacted completely, other text word by word. */
function hideSecretsIn(text: string): string {
  if (harmlessWord.test(text) || wholeLocalPath.test(text)) return text;
  const named = /^(-{0,2}[\w.-]{1,80})=(.*)$/su.exec(text);
  if (named && !text.startsWith('-') && (continuation.test(text) || substitution.test(text))) return hideInLine(text);
  if (named && isSecretByName(named[1] ?? '', named[2] ?? '')) return `${named[1]}=${redacted}`;
  if (named && isSecretName(named[1] ?? '')) return text;
  if (named?.[1]?.startsWith('-')) return `${named[1]}=${hideSecretsIn(named[2] ?? '')}`;
  const line = header.exec(text);
  if (line && (isSecretByName(line[1] ?? '', line[3] ?? '') || isKeyLike(line[3] ?? '')))
    return `${line[1]}:${line[2]}${redacted}`;
  if (scheme.test(text)) return text.replace(scheme, (_all, kind: string) => kind + redacted);
  const redactedText = hideParts(text);
  if (!/\s/u.test(text) || (redactedText === text && !hasSecretWord(text))) return redactedText;
  return /^\s*[{[]/u.test(text) ? redacted : hideInLine(text);
}

/**
 * Redacts each secret in a line of code on its own, because the user who allows it has to see what runs. If something
 * still looks like a secret, the whole line is redacted.
 */
function hideInLine(line: string): string {
  const text = line.replace(privateKey, redacted);
  const words = Array.from(text.matchAll(shellWord), ([word]) => withoutQuotes(word));
  if (words.length === 1 && words[0] === text) return hideSecretsIn(text);
  const redactedWords = hideSecretWords(words).map((redactedWord, index) => {
    const name = /([\w.-]{1,80}):$/u.exec(words[index - 1] ?? '')?.[1];
    return name !== undefined && isSecretByName(name, words[index] ?? '') ? redacted : redactedWord;
  });
  let index = -1;
  const redactedText = text.replace(shellWord, (word) => {
    index += 1;
    return redactedWords[index] === words[index] ? word : (redactedWords[index] ?? redacted);
  });
  return hasSecretWord(redactedText) ? redacted : redactedText;
}

/** A word as a shell passes it to a program. */
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
      return `${start}${isKey && user !== '' ? redacted : user}${password === undefined ? '' : `:${redacted}`}@`;
    })
    .replace(addressPath, (all) => {
      const segments = all.split('/');
      return segments.map((segment, index) => (isAfterSecretName(segments, index, 3) ? redacted : segment)).join('/');
    })
    .replace(jsonPair, (all, quote: string, name: string, colon: string, open: string, value: string) =>
      isSecretByName(name, value) ? `${quote}${name}${quote}${colon}${open}${redacted}` : all,
    )
    .replace(knownForm, redacted)
    .replace(/(?<![\w+/=-])e[\w+/-]{15,}={0,2}/gu, (run) => (isEncodedJson(run) ? redacted : run))
    .replace(/(?<![#@:\w-])[A-Za-z0-9_-]{20,}/gu, (run) => (isRandom(run) ? redacted : run));
}

/** `X=1,API_TOKEN=…`: a value may itself contain named values. */
function hideNamedValues(text: string): string {
  let redactedText = '';
  let at = 0;
  for (const match of text.matchAll(valueName)) {
    const [all, before = '', name = ''] = match;
    const start = match.index + all.length;
    if (match.index < at || !(isSecretName(name) || isDoubtfulName(name) || before !== '')) continue;
    nextValue.lastIndex = start;
    const value = nextValue.exec(text)?.[0] ?? '';
    if (!isSecretByName(name, value) && !isQueryKey(name, value)) continue;
    redactedText += text.slice(at, start) + redacted;
    at = start + value.length;
  }
  return redactedText + text.slice(at);
}

/** Whether any shell word of a text is a secret, quoted or not. */
function hasSecretWord(text: string): boolean {
  const quoted = Array.from(text.matchAll(shellWord), ([word]) => withoutQuotes(word));
  const plain = text.split(/[\s"'\\`;|()]+/u);
  return [quoted, plain].some((words) =>
    hideSecretWords(words.filter((word) => word !== text)).some((word, index) => word !== words[index]),
  );
}

/** Redacts the arguments of a program; `--api-key X` redacts the next word. */
export function hideSecretWords(words: readonly string[]): readonly string[] {
  const named = words.findIndex((word, index) => isUserNameOption(words[index - 1] ?? '', word));
  return words.map((word, index) => {
    const hasName = named >= 0 && named !== index && named <= index + 2;
    const before = words[index - 1] ?? '';
    const option = /^--?([\w.-]{2,80})$/u.exec(before)?.[1];
    const isOption = /^(?:--[a-z]|-.{0,3}$)/iu.test(word);
    if (option !== undefined && !isOption && isSecretByName(option, word)) return redacted;
    // For some programs, `-e` sets a variable.
    if (codeOption.test(before) && !(before === '-e' && /^\w+=/u.test(word))) return hideInLine(word);
    if (isOptionSecret(before, word, hasName)) return redacted;
    const redactedWord = hideSecretsIn(word);
    const [, short, long, value = ''] = (redactedWord === word && gluedOption.exec(word)) || [];
    if (isOptionSecret(short ?? long ?? '', value, hasName && !longAfterP.test(value)))
      return `${word.slice(0, -value.length)}${redacted}`;
    return short === undefined ? redactedWord : `${word.slice(0, -value.length)}${hideSecretsIn(value)}`;
  });
}

/** `-u NAME`, `-uNAME`, `--user=NAME`. */
function isUserNameOption(before: string, word: string): boolean {
  if (nameOption.test(before)) return userName.test(word);
  const [, short, long, value = ''] = gluedOption.exec(word) ?? [];
  return nameOption.test(short ?? long ?? '') && userName.test(value);
}

/** Whether an option's value is a secret by its form. `hasName`: a user name is nearby. */
function isOptionSecret(option: string, value: string, hasName: boolean): boolean {
  if (/^-p$/iu.test(option) && isPlausibleSecret(value) && !notPasswordAfterP.test(value)) {
    if (hasName || passwordForm.test(value)) return true;
  }
  if (shortOption.test(option)) return isKeyLike(value);
  return userOption.test(option) && userPassword.test(value) && !isPlaceholder(value);
}

/** A program for display. Some lists include arguments in it, which are redacted. */
export function displayProgram(program: string): string {
  if (hideSecretsIn(program) === program) return program;
  const [first = ''] = program.trim().split(/\s/u);
  return first === program ? hideSecretsIn(program) : `${hideSecretsIn(first)} ${redacted}`;
}

/** A secret part of a URL, named as in `isAddressPart`, still percent-encoded. */
interface SecretPart {
  readonly name: string;
  readonly value: string;
}

interface SplitAddress {
  readonly href: string;
  readonly parts: readonly SecretPart[];
}

/** Removes what looks like a secret from the query of a URL. */
export function splitQuery(address: string): SplitAddress {
  if (!address.includes('?')) return { href: address, parts: [] };
  const url = new URL(address);
  const pairs = url.search.slice(1).split('&');
  const secrets = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    const part = { name: `?${pair.slice(0, at)}`, value: pair.slice(at + 1) };
    const [name, value] = [percentDecode(pair.slice(0, at)), percentDecode(part.value)];
    const isSecret = looksSecret(name, value) || isQueryKey(name, value);
    return at > 0 && isAddressPart(part.name) && isSecret ? [{ pair, part }] : [];
  });
  if (secrets.length === 0) return { href: address, parts: [] };
  url.search = pairs.filter((pair) => !secrets.some((secret) => secret.pair === pair)).join('&');
  return { href: url.href, parts: secrets.map(({ part }) => part) };
}

/**
 * Removes what looks like a secret from the query and path of a URL. A path segment is replaced by a placeholder that
 * depends on the secret, so that two servers that differ only in it remain distinct.
 */
export function splitAddress(address: string): SplitAddress {
  const inQuery = splitQuery(address);
  const url = new URL(inQuery.href);
  const segments = url.pathname.split('/');
  const inPath = segments.flatMap((segment, index) => {
    const part = { name: `/${index}`, value: segment };
    const plain = percentDecode(segment);
    const isSecret = isAfterSecretName(segments, index, 1) || hideSecretsIn(plain) !== plain;
    return isAddressPart(part.name) && isSecret ? [part] : [];
  });
  if (inPath.length === 0) return inQuery;
  const marked = segments.map((segment, index) =>
    inPath.some(({ name }) => name === `/${index}`) ? placeholderOf(segment) : segment,
  );
  url.pathname = marked.join('/');
  return { href: url.href, parts: [...inQuery.parts, ...inPath] };
}

/** A URL as stored in the list, without keys. Other text is returned unchanged. */
export function withoutKeys(address: string): string {
  return URL.canParse(address) ? splitAddress(address).href : address;
}

/** Puts a secret part back into a URL. */
export function restorePart(address: URL, { name, value }: SecretPart): URL {
  const url = new URL(address);
  if (name.startsWith('?')) {
    url.search = [url.search.slice(1), `${name.slice(1)}=${value}`].filter((each) => each !== '').join('&');
    return url;
  }
  const segments = url.pathname.split('/');
  const index = Number(name.slice(1));
  if (segments[index] !== placeholderOf(value)) return url;
  segments[index] = value;
  url.pathname = segments.join('/');
  return url;
}

/** 32 bits of a hash reveal nothing about a random value; for any other value they would. */
function placeholderOf(secret: string): string {
  const plain = percentDecode(secret);
  if (!isRandom(plain) && plain.replace(knownForm, '') !== '') return 'key-hidden';
  return `key-${process.getBuiltinModule('node:crypto').createHash('sha256').update(secret).digest('hex').slice(0, 8)}`;
}

/** Percent-decodes; returns invalid text unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Name of a sealed argument in the vault; `=` cannot occur in a variable name. */
const argumentName = (index: number): string => `=${index}`;

/** Whether this is a name of a command's value in the vault. */
export function isValueName(name: string): boolean {
  return variableName.test(name) || /^=\d{1,3}$/u.test(name);
}

/** Names of all values that the vault needs before a command can run. */
export function valueNames({ variables, sealed = [] }: Pick<LocalCommand, 'variables' | 'sealed'>): readonly string[] {
  return [...variables, ...sealed.map(argumentName)];
}

/**
 * Variables shown to the user who allows a command: those that can decide which code runs, and all that were imported
 * from a list, because the user did not type them.
 */
export function variablesForDisplay(
  { variables, from }: Pick<LocalCommand, 'variables' | 'from'>,
  values: Readonly<Record<string, string>>,
): readonly ShownVariable[] {
  return variables.flatMap((name) => {
    const value = values[name];
    const decides = canChangeCode(name);
    return value !== undefined && (decides || from !== undefined)
      ? [{ name, value: decides && !isSecretName(name) ? hideInLine(value) : hideValue(name, value), decides }]
      : [];
  });
}

/** Moves secrets from a command's arguments to its values. */
export function sealCommand(
  command: LocalCommand,
  values: Readonly<Record<string, string>>,
): { readonly command: LocalCommand; readonly values: Readonly<Record<string, string>> } {
  const alreadySealed = command.sealed ?? [];
  const redactedWords = hideSecretWords(command.arguments);
  // Arguments that are already sealed appear redacted.
  const toSeal = command.arguments.flatMap((word, index) =>
    redactedWords[index] === word || alreadySealed.includes(index) ? [] : [index],
  );
  if (toSeal.length === 0) return { command, values };
  const sealedValues = toSeal.map((index) => [argumentName(index), command.arguments[index] ?? ''] as const);
  const sealed = [...alreadySealed, ...toSeal].toSorted((one, other) => one - other);
  const words = command.arguments.map((word, index) =>
    toSeal.includes(index) ? (redactedWords[index] ?? word) : word,
  );
  return {
    command: { ...command, arguments: words, sealed },
    values: { ...values, ...Object.fromEntries(sealedValues) },
  };
}

/** An entry for display: an earlier version left secrets in the list, which the next start seals. */
export function sealedEntry<Entry extends { readonly url: string; readonly command?: LocalCommand | undefined }>(
  entry: Entry,
): Entry {
  const { url, command } = entry;
  if (command) return { ...entry, command: sealCommand(command, {}).command };
  return { ...entry, url: withoutKeys(url) };
}

/** The arguments with sealed values filled in. */
export function unsealArguments(
  { arguments: words, sealed = [] }: Pick<LocalCommand, 'arguments' | 'sealed'>,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return words.map((word, index) => (sealed.includes(index) ? (values[argumentName(index)] ?? word) : word));
}

/** Whether a value is a secret by its name. */
function isSecretByName(name: string, value: string): boolean {
  if (isDoubtfulName(name)) return isKeyLike(value);
  return (
    isSecretName(name) && (isPlausibleSecret(value) || (/^\d{2,}$/u.test(value) && numericName.test(lastWord(name))))
  );
}

/** Whether the values of a member, an option or a variable of this name are secrets. */
export function isSecretName(name: string): boolean {
  const last = lastWord(name);
  return secretName.test(last) || numericName.test(last);
}

function isDoubtfulName(name: string): boolean {
  return doubtfulName.test(lastWord(name));
}

/** The deciding word of a name; '' for a switch. */
function lastWord(name: string): string {
  if (switchName.test(name)) return '';
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  const words = parts.filter((word) => word !== '');
  return (words.findLast((word) => !nameSuffix.test(word)) ?? '').replace(/\d+$/u, '');
}

/** `code` is an Azure function key; shorter codes are languages and countries. */
function isQueryKey(name: string, value: string): boolean {
  return name === 'code' && value.length >= 8 && isPlausibleSecret(value);
}

/** `/token/…`, from the segment `first` on. */
function isAfterSecretName(segments: readonly string[], index: number, first: number): boolean {
  if (index <= first) return false;
  const [name = '', value = ''] = [segments[index - 1], segments[index]].map((segment) => percentDecode(segment ?? ''));
  return isSecretName(name) && !endpointSegment.test(value) && isPlausibleSecret(value);
}

/** Base64-encoded JSON settings (RFC 4648), which some services expect in a URL. */
function isEncodedJson(text: string): boolean {
  try {
    const document: unknown = JSON.parse(Buffer.from(text, 'base64').toString());
    return typeof document === 'object';
  } catch {
    return false;
  }
}

/** Whether a value under a secret's name can be a secret; not a file path, a number or a placeholder. */
function isPlausibleSecret(value: string): boolean {
  return (
    value.length > 1 &&
    !value.startsWith(redacted) &&
    !/^(?:true|false|none|null|\d{1,6})$/iu.test(value) &&
    !localPath.test(value) &&
    !isPlaceholder(value)
  );
}

/** At least eight characters with letters and digits; not a file, URL, image, version, or number with a unit. */
function isKeyLike(word: string): boolean {
  return (
    /^[\w+=~!@#$%^&*.-]{8,}$/u.test(word) &&
    /\d/u.test(word) &&
    /[a-z]/iu.test(word) &&
    !/^[@a-z][a-z-]*[@.:-]v?\d+(?:[.-]\d+)*(?:[.-]?[a-z]+[.-]?\d*)?$|\.[a-z]{2,4}$|^\d+[a-z]+$/iu.test(word) &&
    isPlausibleSecret(word)
  );
}

/** `${KEY}` and `<your key>` are placeholders; `$(command)` is replaced when it runs. */
function isPlaceholder(value: string): boolean {
  return substitution.test(value) || reference.test(value.replace(/^(?:Bearer|Basic|Token) +/iu, ''));
}

/** Whether a text looks machine-generated: at least 128 bits of hex, or letters and digits that keep alternating. */
function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/iu.test(text)) return true;
  if (text.length < 20 || !/[a-z]/u.test(text) || !/[A-Z]/u.test(text) || !/\d.*\d/u.test(text)) return false;
  const kinds = Array.from(text, (character) => (/\d/u.test(character) ? 0 : /[a-z]/u.test(character) ? 1 : 2));
  return kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length / text.length >= 0.35;
}
