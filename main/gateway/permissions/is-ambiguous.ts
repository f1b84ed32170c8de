import { surveyJson } from '../../mcp/survey-json.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/**
 * Whether a server may read a message otherwise than Postern has: a member stands in it twice (RFC 8259 section 4: which
 * one counts is open), or two differ in nothing but capitals. What is judged has to be what is done. `bytes`: sound JSON.
 */
export function isAmbiguous(bytes: Buffer): boolean {
  const message = JSON.parse(bytes.toString('utf8')) as unknown;
  const once = Buffer.from(JSON.stringify(message));
  if (surveyJson(once).nodes !== surveyJson(bytes).nodes) return true;
  if (!isObject(message)) return false;
  return hasTwins(message) || (isObject(message['params']) && hasTwins(message['params']));
}

function hasTwins(object: JsonObject): boolean {
  const names = Object.keys(object);
  return new Set(names.map((name) => name.toLowerCase())).size < names.length;
}
