import { parseAddress } from './parse-address.ts';
import { refusePastedCommand } from './pasted-command.ts';

/** The address of a server as a person gave it. Errors: URL_COMMAND, those of `parseAddress`, with stage `address`. */
export function parseTypedAddress(text: string): URL {
  refusePastedCommand([text]);
  return parseAddress(text, 'address');
}
