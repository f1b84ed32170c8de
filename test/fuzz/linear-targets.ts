import * as fc from 'fast-check';
import { displayText, isConfusableHost } from '../../main/address/display-text.ts';
import { parseAddress } from '../../main/address/parse-address.ts';
import { printable } from '../../main/cli/text.ts';
import { parsePacResult, readProxySettings } from '../../main/net/http/proxy-settings.ts';
import { stateOf } from '../../main/oauth/authorization/authorization-response.ts';
import { findJsonFault } from '../../main/oauth/http/json-document.ts';
import { parseRetryAfter, parseTokenChallenge } from '../../main/oauth/http/response-headers.ts';
import { readSettingsDocument } from '../../main/storage/settings/settings-document.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { fuzzTarget } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { assert } from './typed.ts';

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  challenge: (text) => parseTokenChallenge(headersOf(text)),
  'retry-after': (text) => parseRetryAfter(text, 0),
  json: (text) => findJsonFault(text, { depth: 32, keys: 2_000, text: 8_192 }),
  address: (text) => refused(() => parseAddress(text, 'discovery')),
  callback: (text) => stateOf(text),
  'shown text': (text) => displayText(text),
  'printed text': (text) => printable(text),
  host: (text) => isConfusableHost(text.slice(0, 253)),
  settings: (text) => readSettingsDocument(text),
  'pasted text': (text) => readPasted(text),
  proxy: (text) => [parsePacResult(text), readProxySettings({ NO_PROXY: text, HTTPS_PROXY: text })],
};

function headersOf(text: string): Headers {
  const headers = new Headers();
  try {
    headers.set('www-authenticate', text);
  } catch {
    // Not a valid HTTP header.
  }
  return headers;
}

function refused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const pieces = [
  '"',
  '\\',
  ' ',
  ',',
  '=',
  '[',
  ')',
  '}',
  "'",
  '\n',
  '{',
  '"a":',
  '0',
  'a',
  '%',
  '&',
  '/',
  '.',
  '-',
  ';',
  '\t',
  '\u0301',
  '\u202e',
  'é',
  'Bearer ',
  'a="',
  '\\"',
];
const length = 100_000;
/**
 * CPU milliseconds of this thread for 100 KB, independent of machine load; quadratic code takes minutes.
 */
const limit = 250;

/** PB-08: no untrusted text keeps a parser busy. */
export const linearTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'every parser runs in linear time (PB-08)',
    cost: 500,
    input: fc.tuple(
      fc.constantFrom(...Object.keys(parsers)),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 3 }),
    ),
    holds([name, repeated, ending]) {
      const unit = repeated.join('');
      const text = unit.repeat(Math.ceil(length / unit.length)) + ending.join('');
      const before = process.threadCpuUsage();
      parsers[name]?.(text);
      const { user, system } = process.threadCpuUsage(before);
      const seconds = (user + system) / 1_000;
      assert(seconds <= limit, `${name} took ${Math.round(seconds)} ms for ${text.length} characters`);
    },
  }),
];
