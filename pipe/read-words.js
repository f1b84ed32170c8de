import path from 'node:path';
import { ownProfileFolder } from './find-gateway.js';

/**
 * @typedef {object} PipeWords
 * @property {string} server alias, id or address of an integration
 * @property {string | undefined} program id of the program's record
 * @property {string} profileFolder absolute
 */

export const usage = 'Usage: postern proxy [--profile-folder DIR] ALIAS [--program ID]';

/** Bytes of a name in the first line; the gateway takes no longer one. */
const longestName = 256;

/** `undefined`: they cannot be understood. @param {readonly string[]} words @returns {PipeWords | undefined} */
export function readWords(words) {
  /** @type {string[]} */
  const names = [];
  let program;
  let profileFolder;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--program') program = words[(at += 1)] ?? '';
    else if (word === '--profile-folder') profileFolder = words[(at += 1)] ?? '';
    else if (word.startsWith('-')) return undefined;
    else names.push(word);
  }
  const [server = ''] = names;
  if (names.length !== 1 || server === '' || program === '' || profileFolder === '') return undefined;
  if (Buffer.byteLength(server) > longestName || Buffer.byteLength(program ?? '') > longestName) return undefined;
  return { server, program, profileFolder: path.resolve(profileFolder ?? ownProfileFolder()) };
}
