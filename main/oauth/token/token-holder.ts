import { displayText } from '../../address/display-text.ts';
import { accountLength } from '../../limits.ts';
import { isJsonObject } from '../wire/oauth-error.ts';

/**
 * Whose tokens these are, and of which organisation: ids that stay what they are, by where a service says them, so that
 * only like is compared with like. A name or an e-mail address may change, and is none.
 */
export type TokenHolder = Readonly<Record<string, string>>;

/**
 * Members of token answers. `organization_id` is WorkOS's (workos.com/docs/reference/authkit/authentication),
 * `workspace_id` Notion's (developers.notion.com/reference/create-a-token), `team.id` Slack's (oauth.v2.access).
 */
const members = ['sub', 'account_id', 'user_id', 'organization_id', 'workspace_id', 'team.id'] as const;
/**
 * Of ID tokens: OpenID Connect Core 1.0 section 2; Auth0's organisation
 * (auth0.com/docs/manage-users/organizations/using-tokens); Microsoft's tenant (learn.microsoft.com, ID token claims).
 */
const claimNames = ['sub', 'org_id', 'tid'] as const;

/** `claims`: of an ID token that may be believed. */
export function readHolder(
  answer: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>> = {},
): TokenHolder {
  return Object.fromEntries([
    ...members.flatMap((member) => idAt(answer, member).map((id) => [member, id])),
    ...claimNames.flatMap((name) => idAt(claims, name).map((id) => [`id_token ${name}`, id])),
  ]) as TokenHolder;
}

/** Whether an id that was known is another one now. The ID token of a renewal has the same `sub` (section 12.2 there). */
export function isOtherHolder(before: TokenHolder | undefined, after: TokenHolder): boolean {
  return Object.entries(after).some(([place, id]) => before?.[place] !== undefined && before[place] !== id);
}

/** What the organisation is called: by Notion and Slack in the token answer. */
export function organisationIn(answer: Readonly<Record<string, unknown>>): unknown {
  const { workspace_name: workspace, team } = answer;
  return workspace ?? (isJsonObject(team) ? team['name'] : undefined);
}

/** Members in which providers say whose tokens they answer with; no standard knows one. The most stable comes first. */
const accountMembers = ['sub', 'account_id', 'user_id', 'account', 'username', 'email'] as const;

/**
 * Whose tokens these are, where the token answer says so itself, as text that can be shown; `undefined` for most
 * servers. Enough to warn that another account came back; never a proof of who somebody is. `id-token.ts` beside
 * reads what OpenID Connect has for it.
 */
export function namedAccount(answer: Readonly<Record<string, unknown>>): string | undefined {
  for (const member of accountMembers) {
    const value = answer[member];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value !== 'string' || value.length > accountLength) continue;
    const text = displayText(value);
    if (text !== '') return text;
  }
  return undefined;
}

function idAt(object: Readonly<Record<string, unknown>>, place: string): string[] {
  const [outer = '', inner] = place.split('.');
  const found = object[outer];
  const value = inner === undefined ? found : isJsonObject(found) ? found[inner] : undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [String(value)];
  return typeof value === 'string' && value !== '' && value.length <= accountLength ? [value] : [];
}
