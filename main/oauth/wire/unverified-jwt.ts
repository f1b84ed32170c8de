import { bodyLimit } from '../../limits.ts';
import { readJson } from './json-document.ts';
import { isJsonObject } from './oauth-error.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a signed JWT says (RFC 7519 section 7.2); whoever it is for judges its signature. */
export interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** `undefined` for what is no JWT in compact form (RFC 7515 section 7.1), or says that nobody has signed it. */
export function readUnverifiedJwt(text: string): UnverifiedJwt | undefined {
  const [head, body, signature, ...more] = text.split('.');
  if (!head || !body || !signature || more.length > 0 || !isBase64Url(signature)) return undefined;
  const header = readPart(head);
  const claims = readPart(body);
  const alg = header?.['alg'];
  if (!header || !claims || typeof alg !== 'string' || alg.toLowerCase() === 'none') return undefined;
  return { header, claims };
}

const isBase64Url = (part: string): boolean => /^[\w-]+$/u.test(part);

/** Bounded as any document of a server. */
function readPart(part: string): JsonObject | undefined {
  if (part.length > bodyLimit.token || !isBase64Url(part)) return undefined;
  try {
    const document = readJson(Buffer.from(part, 'base64url'), { stage: 'token' });
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
