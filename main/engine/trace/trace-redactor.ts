import { isObject } from '../../../shared/json-object.ts';
import { formatCount } from '../../../shared/language.ts';
import type { TraceField } from '../../../shared/trace.ts';
import { displayText } from '../../address/display-text.ts';
import { traceSecrets } from '../../limits.ts';
import { EventStream } from '../../mcp/messages/message-body.ts';
import { parseTokenChallenge } from '../../oauth/http/response-headers.ts';
import { splitAddress, withoutKeys } from '../../secret.ts';

const valueLength = 300;
const nameLength = 80;
const fieldCount = 60;
/** Characters. Shorter values are words, and redacting them everywhere would make the trace unreadable. */
const shortest = { secret: 6, unknown: 16 } as const;

/**
 * Redacts requests and responses for display: names stay, values only if listed below. A value hidden once is hidden
 * everywhere in the same trace (a server may repeat a code in its error text).
 */
export class TraceRedactor {
  readonly #hidden = new Set<string>();
  /** Too many hidden values to search for: from then on no server text is shown. */
  #isFull = false;

  /** Origin, path and parameters; values of unlisted parameters are hidden. */
  url(address: string): string {
    const url = URL.parse(address);
    if (!url) return '[not an address]';
    const parameters = [...url.searchParams];
    for (const [name, value] of parameters) if (!openParameters.has(name)) this.#hide(name, value);
    const query = parameters.map(([name, value]) => {
      const displayed = openParameters.has(name) ? encodeURI(this.#showNamed(name, value)) : '[hidden]';
      return `${encodeURIComponent(this.#show(name, nameLength))}=${displayed}`;
    });
    return `${url.origin}${this.#redact(new URL(splitAddress(url.href).href).pathname)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  }

  /** Every unlisted request header counts as a secret: the user may have chosen its name. */
  headers(headers: Headers, side: 'request' | 'response'): TraceField[] {
    const all = [...headers];
    for (const [name, value] of all) this.#hideHeader(side === 'request' ? 'authorization' : name, name, value);
    return all.slice(0, fieldCount).map(([name, value]) => ({
      name: this.#show(name, nameLength),
      value: this.#describeHeader(name, value, headers),
    }));
  }

  /** Lists the members of a form, a JSON document, or an event stream's last message. */
  body(contentType: string | null, text: string): TraceField[] {
    if (text === '') return [];
    const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const members = readMembers(type, text);
    if (!members)
      return [
        { name: 'body', value: `[${this.#show(type || 'no type', 60)}, ${formatCount(text.length, 'character')}]` },
      ];
    for (const [name, value] of members) if (!openMembers.has(name)) this.#hide(name, value);
    return members.slice(0, fieldCount).map(([name, value]) => ({
      name: this.#show(name, nameLength),
      value: openMembers.has(name) ? this.#showNamed(name, describeValue(value)) : conceal(name, value),
    }));
  }

  #describeHeader(name: string, value: string, headers: Headers): string {
    if (openHeaders.has(name)) return this.#show(value);
    if (name === 'location') return this.url(value);
    if (name === 'www-authenticate') return this.#describeChallenge(headers);
    const scheme = name === 'authorization' ? (/^(Bearer|Basic|DPoP) /i.exec(value)?.[0] ?? '') : '';
    return scheme + conceal(name, value.slice(scheme.length));
  }

  #describeChallenge(headers: Headers): string {
    const challenge = parseTokenChallenge(headers);
    if (!challenge) return '[no challenge for a token]';
    const { resourceMetadata, scope, error, dpop } = challenge;
    const parts = [
      resourceMetadata !== undefined && `resource_metadata="${this.url(resourceMetadata)}"`,
      scope !== undefined && `scope="${this.#show(scope)}"`,
      error !== undefined && `error="${this.#show(error)}"`,
    ];
    const schemes = dpop?.only ? ['DPoP'] : dpop ? ['Bearer', 'DPoP'] : ['Bearer'];
    return [schemes.join(' or '), parts.filter((part) => part !== false).join(', ')].join(' ').trim().slice(0, 400);
  }

  #hideHeader(kind: string, name: string, value: string): void {
    if (openHeaders.has(name) || name === 'location' || name === 'www-authenticate') return;
    this.#hide(kind, value);
    const [, scheme = '', credentials = ''] = /^(\w+) +(.+)$/.exec(value) ?? [];
    this.#hide(kind, credentials);
    if (scheme.toLowerCase() !== 'basic') return;
    const decoded = Buffer.from(credentials, 'base64').toString('utf8');
    this.#hide(kind, decoded.slice(decoded.indexOf(':') + 1));
  }

  #hide(name: string, value: unknown): void {
    const least = secretNames.has(name) ? shortest.secret : shortest.unknown;
    if (typeof value !== 'string' || value.length < least || this.#isFull) return;
    this.#isFull = this.#hidden.size >= traceSecrets;
    this.#hidden.add(value);
    this.#hidden.add(encodeURIComponent(value));
    try {
      this.#hidden.add(decodeURIComponent(value));
    } catch {
      // Not percent-encoded.
    }
  }

  /** `resource` is the server's address, which may contain a key. */
  #showNamed(name: string, value: string): string {
    return this.#show(name === 'resource' ? withoutKeys(value) : value);
  }

  #show(text: string, maximum = valueLength): string {
    // Cut first, at the length that `displayText` reads anyway.
    return displayText(this.#redact(text.slice(0, maximum * 64)), maximum);
  }

  #redact(text: string): string {
    if (this.#isFull) return '[not shown]';
    let clean = text;
    for (const secret of this.#hidden) {
      if (secret.length <= clean.length) clean = clean.replaceAll(secret, '[secret]');
    }
    return clean;
  }
}

type Member = readonly [name: string, value: unknown];

function readMembers(type: string, text: string): readonly Member[] | undefined {
  if (type === 'application/x-www-form-urlencoded') return [...new URLSearchParams(text)];
  const json = type === 'text/event-stream' ? lastEventData(text) : text;
  try {
    const document: unknown = JSON.parse(json);
    return isObject(document) ? flatten(document) : undefined;
  } catch {
    return undefined;
  }
}

/** Members of `params`, `result` and `error` are shown; deeper ones are not. */
function flatten(document: object): Member[] {
  return Object.entries(document).flatMap(([name, value]): Member[] => {
    const isOuter = (name === 'params' || name === 'result' || name === 'error') && typeof value === 'object';
    if (!isOuter || value === null) return [[name, value]];
    return Object.entries(value as object).map(([inner, deep]): Member => [`${name}.${inner}`, deep]);
  });
}

/** The last JSON object in an event's data. A traced stream may end before its event does. */
function lastEventData(text: string): string {
  const stream = new EventStream();
  const parts = [...stream.take(Buffer.from(text)), ...stream.endLine(), { kind: 'end' } as const];
  let data: Uint8Array[] = [];
  let last = '';
  for (const part of parts) {
    if (part.kind === 'data') data.push(part.bytes);
    if (part.kind !== 'end') continue;
    const whole = Buffer.concat(data).toString('utf8');
    if (/^\s*\{/u.test(whole)) last = whole;
    data = [];
  }
  return last;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(' ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

function conceal(name: string, value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  return `[${secretNames.has(name) ? 'secret' : 'hidden'}, ${formatCount(value.length, 'character')}]`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `[list of ${value.length}]`;
  return value === null ? '[null]' : `[${typeof value}]`;
}

/**
 * Names whose values a trace may show; of everything else only the name is shown. None of these holds a secret by
 * definition; if a server puts one there anyway, `TraceRedactor` finds it.
 */

const openParameters: ReadonlySet<string> = new Set([
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'resource', 'code_challenge_method', 'prompt'],
  ...['access_type', 'response_mode', 'iss', 'error'],
]);

const openHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'content-length', 'allow', 'cache-control', 'retry-after', 'server'],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'access-control-allow-origin'],
]);

/** Members of forms and JSON documents; a nested member is `outer.inner`. */
const openMembers: ReadonlySet<string> = new Set([
  // RFC 6749, 7009, 7636, 8707: requests and responses
  ...['grant_type', 'client_id', 'redirect_uri', 'scope', 'resource', 'token_type_hint', 'token_type', 'expires_in'],
  ...['error', 'error_description', 'error_uri'],
  // RFC 8693
  ...['audience', 'subject_token_type', 'requested_token_type', 'issued_token_type'],
  // RFC 7591
  ...['client_name', 'redirect_uris', 'grant_types', 'response_types', 'application_type'],
  ...['token_endpoint_auth_method', 'client_id_issued_at', 'client_secret_expires_at'],
  // RFC 9728
  ...['authorization_servers', 'scopes_supported', 'bearer_methods_supported', 'resource_name'],
  // RFC 9449
  ...['dpop_signing_alg_values_supported', 'dpop_bound_access_tokens', 'dpop_bound_access_tokens_required'],
  // RFC 8628
  ...['device_authorization_endpoint', 'verification_uri', 'interval'],
  // RFC 8414, 9207, OpenID Connect Discovery, client id metadata documents
  ...['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'],
  ...['pushed_authorization_request_endpoint', 'require_pushed_authorization_requests'],
  ...['jwks_uri', 'userinfo_endpoint', 'introspection_endpoint', 'response_types_supported'],
  ...['response_modes_supported', 'grant_types_supported', 'token_endpoint_auth_methods_supported'],
  ...['revocation_endpoint_auth_methods_supported', 'code_challenge_methods_supported', 'prompt_values_supported'],
  ...['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'],
  // JSON-RPC and MCP
  ...['jsonrpc', 'method', 'error.code', 'params.protocolVersion', 'params.name'],
  ...['result.protocolVersion', 'result.resultType'],
]);

/** Labeled as secret. Other values that are not shown are labeled as hidden; both with their length. */
const secretNames: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'dpop', 'cookie', 'set-cookie', 'mcp-session-id'],
  ...[
    'code',
    'device_code',
    'user_code',
    'verification_uri_complete',
    'state',
    'nonce',
    'code_verifier',
    'client_secret',
    'token',
    'access_token',
    'refresh_token',
  ],
  ...[
    'request_uri',
    'id_token',
    'assertion',
    'subject_token',
    'client_assertion',
    'registration_access_token',
    'registration_client_uri',
  ],
]);
