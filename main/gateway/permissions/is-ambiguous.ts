import { surveyJson } from '../../mcp/messages/survey-json.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** What a call, or an answer, is read from (JSON-RPC 2.0 sections 4 and 5; MCP 2025-11-25, tools/call). */
const members: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const parameters: ReadonlySet<string> = new Set(['name', 'arguments', 'task', '_meta']);

/**
 * Whether a server may read a message otherwise than Postern has: a member stands in it twice (RFC 8259 section 4: which
 * one counts is open), or one is a known name but for its capitals, which many libraries take for that name. What is
 * judged, and shown to a person, has to be what is done. `bytes`: sound JSON.
 */
export function isAmbiguous(bytes: Buffer): boolean {
  const message = JSON.parse(bytes.toString('utf8')) as unknown;
  const once = Buffer.from(JSON.stringify(message));
  if (surveyJson(once).nodes !== surveyJson(bytes).nodes) return true;
  if (!isObject(message)) return false;
  const { params } = message;
  return hasLookalike(message, members) || (isObject(params) && hasLookalike(params, parameters));
}

function hasLookalike(object: JsonObject, known: ReadonlySet<string>): boolean {
  const names = Object.keys(object);
  const folded = names.map(fold);
  return new Set(folded).size < names.length || folded.some((name, index) => name !== names[index] && known.has(name));
}

/** Without capitals, as Unicode folds them: by way of capitals, since `ſ` is an `s` there too. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}
