import path from 'node:path';
import { ownProfileFolder } from './find-gateway.js';

/**
 * @typedef {object} PipeArguments
 * @property {string} server alias, id or address of an integration
 * @property {string | undefined} app id of the app's record
 * @property {string} profileFolder absolute
 */

export const usage = 'Usage: postern proxy [--profile-folder DIR] ALIAS [--app ID]';

/** Bytes of a name in the first line; the gateway accepts no longer one. */
const maxNameBytes = 256;

/**
 * `undefined`: usage error.
 * @param {readonly string[]} args
 * @returns {PipeArguments | undefined}
 */
export function parseArguments(args) {
  /** @type {string[]} */
  const names = [];
  let app;
  let profileFolder;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--app') app = args[(at += 1)] ?? '';
    else if (arg === '--profile-folder') profileFolder = args[(at += 1)] ?? '';
    else if (arg.startsWith('-')) return undefined;
    else names.push(arg);
  }
  const [server = ''] = names;
  if (names.length !== 1 || server === '' || app === '' || profileFolder === '') return undefined;
  if (Buffer.byteLength(server) > maxNameBytes || Buffer.byteLength(app ?? '') > maxNameBytes) return undefined;
  return { server, app, profileFolder: path.resolve(profileFolder ?? ownProfileFolder()) };
}
