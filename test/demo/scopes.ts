/** Descriptions of the demo's scopes for the consent page. */
export interface ScopeDescription {
  readonly title: string;
  readonly detail: string;
}

const descriptions: Readonly<Record<string, ScopeDescription>> = {
  'notes:read': { title: 'Read your notes', detail: 'See the text of every note you keep here' },
  'notes:write': { title: 'Add notes', detail: 'Write new notes in your name' },
  'notes:admin': { title: 'Delete your notes', detail: 'Remove all of them. This cannot be undone' },
  offline_access: { title: 'Stay connected', detail: 'Keep this access until you end it, also while you are away' },
  openid: { title: 'Know who you are', detail: 'See the name of your account' },
};

/** Scopes that the demo requires initially; `notes:admin` is requested when a tool needs it. */
export const usualScopes: readonly string[] = ['notes:read', 'notes:write'];
export const resourceScopes: readonly string[] = [...usualScopes, 'notes:admin'];
export const supportedScopes: readonly string[] = [...resourceScopes, 'offline_access'];

export function describeScope(scope: string): ScopeDescription {
  return descriptions[scope] ?? { title: scope, detail: 'A permission that this server has no words for' };
}
