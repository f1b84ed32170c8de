import { displayText } from '../../address/display-text.ts';
import { accountLength } from '../../limits.ts';

/** Members in which providers say whose tokens they answer with; no standard knows one. The most stable comes first. */
const members = ['sub', 'account_id', 'user_id', 'account', 'username', 'email'] as const;

/**
 * Whose tokens these are, where the token answer says so itself, as text that can be shown; `undefined` for most
 * servers. Enough to warn that another account came back; never a proof of who somebody is. `id-token.ts` beside
 * reads what OpenID Connect has for it.
 */
export function namedAccount(answer: Readonly<Record<string, unknown>>): string | undefined {
  for (const member of members) {
    const value = answer[member];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value !== 'string' || value.length > accountLength) continue;
    const text = displayText(value);
    if (text !== '') return text;
  }
  return undefined;
}
