import { advise } from '../../shared/error-catalogue/catalogue-entry.ts';
import { urlLength } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import { displayText } from './display-text.ts';
import { parseAddress } from './parse-address.ts';
import { refusePastedCommand } from './pasted-command.ts';

/**
 * The address of a server as a person gave it. Errors: URL_COMMAND, URL_INVALID for one with a part that is to be filled
 * in, those of `parseAddress`, with stage `address`.
 */
export function parseTypedAddress(text: string): URL {
  refusePastedCommand([text]);
  const part = partToFillIn(text);
  if (part === undefined) return parseAddress(text, 'address');
  throw new PosternError('URL_INVALID', {
    stage: 'address',
    blame: 'input',
    detail: { part: displayText(part, 80) },
    remedy: advise('correct-address', 'Put your own value in its place. The documentation of the service says which.'),
  });
}

/** Gaps of templates, and names that documentation writes for a value of the user's. */
const gaps = [
  /\$\{[^{}]{1,200}\}/u,
  /\{{1,2}[\w .:*?&/+-]{1,100}\}{1,2}/u,
  /<[\w .:-]{1,100}>/u,
  /\b(?:YOUR|INSERT|REPLACE|ENTER)(?:[_-][A-Z0-9]+)+/u,
  /\byour[_-]?(?:api|access|auth|secret)[_-]?(?:key|token)\b/iu,
  /\bCHANGE_?ME\b/u,
];

/** What of an address a template leaves to the user, such as `{tenant}`; `undefined`: nothing. */
export function partToFillIn(address: string): string | undefined {
  if (address.length > urlLength.received) return undefined;
  for (const gap of gaps) {
    const found = gap.exec(address);
    if (found) return found[0];
  }
  return undefined;
}
