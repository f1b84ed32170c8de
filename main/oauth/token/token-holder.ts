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

function idAt(object: Readonly<Record<string, unknown>>, place: string): string[] {
  const [outer = '', inner] = place.split('.');
  const found = object[outer];
  const value = inner === undefined ? found : isJsonObject(found) ? found[inner] : undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [String(value)];
  return typeof value === 'string' && value !== '' && value.length <= accountLength ? [value] : [];
}
