/**
 * What an MCP server can list: the result member with the entries, the key of an entry, and the capability that
 * declares the list.
 */
export const lists = {
  'tools/list': { member: 'tools', key: 'name', capability: 'tools' },
  'prompts/list': { member: 'prompts', key: 'name', capability: 'prompts' },
  'resources/list': { member: 'resources', key: 'uri', capability: 'resources' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate', capability: 'resources' },
} as const;
export type List = keyof typeof lists;

export function isList(method: string): method is List {
  return Object.hasOwn(lists, method);
}

/** The result member that holds the entries of a list; `undefined` if it is no list. */
export function listMemberOf(method: string): (typeof lists)[List]['member'] | undefined {
  return isList(method) ? lists[method].member : undefined;
}

/**
 * Capabilities whose lists may change, with the notification (MCP 2025-11-25) and the member of `notifications` that
 * subscribes to it (MCP 2026-07-28, subscriptions).
 */
export const listChanges = (['tools', 'prompts', 'resources'] as const).map((capability) => ({
  capability,
  notification: `notifications/${capability}/list_changed`,
  subscription: `${capability}ListChanged`,
}));

/** The `list_changed` notification for this method; `undefined` if it is no list. */
export function changeNotification(method: string): string | undefined {
  return isList(method) ? `notifications/${lists[method].capability}/list_changed` : undefined;
}

/** The notifications for several methods, without duplicates. */
export function changeNotifications(methods: Iterable<string>): ReadonlySet<string> {
  return new Set([...methods].flatMap((method) => changeNotification(method) ?? []));
}
