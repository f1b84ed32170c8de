/** What happens to an app's tool call: it is made, the user is asked each time, or it is refused. */
export const toolRules = ['allow', 'ask', 'deny'] as const;
export type ToolRule = (typeof toolRules)[number];

/**
 * The default for tools without a rule. `ask-changes` and `read-only` rely on the server's `readOnlyHint` (MCP
 * 2025-11-25, tool annotations), which cannot be verified. `only-allowed`: tools without a rule are denied.
 */
export const toolPresets = ['everything', 'ask-changes', 'read-only', 'only-allowed'] as const;
export type ToolPreset = (typeof toolPresets)[number];

/**
 * What happens to new tools and tools that differ from the user's last review: `hold` hides them from apps, and blocks
 * Postern's own calls, until the user reviews them.
 */
export const changedToolRules = ['show', 'hold'] as const;
export type ChangedToolRule = (typeof changedToolRules)[number];

/** Limits: rules per level, apps, characters of a tool's name. */
export const permissionBounds = { rules: 1_000, apps: 200, tool: 256 } as const;

/** Capabilities besides tools; each is exposed completely or not at all. */
export const capabilities = ['resources', 'prompts'] as const;
export type Capability = (typeof capabilities)[number];

/**
 * The permissions at one level. The rules are a list because a tool may have the name of an `Object.prototype` member.
 */
export interface PermissionLevel {
  /** Absent: everything. */
  preset?: ToolPreset | undefined;
  /** Capabilities that are not exposed. */
  without?: Capability[] | undefined;
  /** One per tool; if edited by hand, the strictest of several counts. */
  rules?: { tool: string; rule: ToolRule }[] | undefined;
}

/** Which tools of one server apps may call: rules for all apps, and for single ones. */
export interface ToolPermissions extends PermissionLevel {
  apps?: (PermissionLevel & { app: string })[] | undefined;
  /** Absent: as for all servers. */
  changedTools?: ChangedToolRule | undefined;
}

/** The properties of a tool that the rules use. */
export interface RuledTool {
  readonly name: string;
  /** The server's read-only hint. */
  readonly readOnly: boolean;
}

/**
 * Decides about a call. A tool's rule overrides the preset of its level, and the stricter level counts; but the user's
 * rule for this tool in this app overrides asking. Nothing overrides a denial. `app`: its id in the table of apps;
 * absent for an app that the user has not added.
 */
export function decideTool(
  permissions: ToolPermissions | undefined,
  app: string | undefined,
  tool: RuledTool,
): ToolRule {
  if (!permissions) return 'allow';
  const own = levelOf(permissions, app);
  const general = ruleOfLevel(permissions, tool);
  const specific = ruleOfLevel(own, tool);
  if (general === 'deny' || specific === 'deny') return 'deny';
  const chosen = ownRule(own, tool.name);
  if (chosen) return chosen;
  return general === 'ask' || specific === 'ask' ? 'ask' : 'allow';
}

/** True if the capability is exposed to the app: either level can withhold it. */
export function isExposed(
  permissions: ToolPermissions | undefined,
  app: string | undefined,
  capability: Capability,
): boolean {
  return [permissions ?? {}, levelOf(permissions, app)].every(({ without = [] }) => !without.includes(capability));
}

export function holdsChanges(permissions: ToolPermissions | undefined): boolean {
  return permissions?.changedTools === 'hold';
}

/** Whether any call of this app may be held or refused. */
export function isRestricted(permissions: ToolPermissions | undefined, app: string | undefined): boolean {
  if (!permissions) return false;
  if (holdsChanges(permissions)) return true;
  return [permissions, levelOf(permissions, app)].some(
    ({ preset = 'everything', rules = [], without = [] }) =>
      preset !== 'everything' || without.length > 0 || rules.some(({ rule }) => rule !== 'allow'),
  );
}

/** The permissions set for one app. */
export function levelOf(permissions: ToolPermissions | undefined, app: string | undefined): PermissionLevel {
  if (app === undefined) return {};
  const all = permissions?.apps ?? [];
  const own = all.flatMap(({ app: whose, ...level }) => (whose === app ? [level] : []));
  const [first = {}] = own;
  if (own.length <= 1) return first;
  // Duplicates from hand editing: the strictest value counts.
  const presets = new Set(own.map(({ preset }) => preset));
  return {
    preset: toolPresets.findLast((preset) => presets.has(preset)),
    rules: own.flatMap(({ rules = [] }) => rules),
    ...withoutCapabilities(...own.map(({ without = [] }) => without)),
  };
}

/** The rule of one level for this tool. */
export function ownRule({ rules = [] }: PermissionLevel, name: string): ToolRule | undefined {
  const exact = rules.filter(({ tool }) => tool === name).map(({ rule }) => rule);
  if (exact.length > 0) return toolRules.findLast((rule) => exact.includes(rule));
  // A server may accept another spelling of the same tool: restrictions apply to that too, permissions do not.
  const alike = rules.filter(
    ({ tool, rule }) => rule !== 'allow' && normalizeToolName(tool) === normalizeToolName(name),
  );
  return alike.some(({ rule }) => rule === 'deny') ? 'deny' : alike[0]?.rule;
}

function ruleOfLevel(level: PermissionLevel, { name, readOnly }: RuledTool): ToolRule {
  const rule = ownRule(level, name);
  if (rule) return rule;
  if (level.preset === 'only-allowed') return 'deny';
  if (readOnly || (level.preset ?? 'everything') === 'everything') return 'allow';
  return level.preset === 'read-only' ? 'deny' : 'ask';
}

function normalizeToolName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}]/gu, '')
    .toLowerCase();
}

type LevelChange = { readonly app?: string | undefined } & (
  | { readonly preset: ToolPreset }
  | { readonly tool: string; readonly rule: ToolRule | null }
  | { readonly offer: Capability; readonly allowed: boolean }
);

/** A change by the user; `null` removes a rule. Without `app` it applies to all apps. */
export type PermissionChange = LevelChange | { readonly changedTools: ChangedToolRule | null };

/** The permissions after a change; `undefined` if nothing is restricted. */
export function changePermissions(
  permissions: ToolPermissions | undefined,
  change: PermissionChange,
): ToolPermissions | undefined {
  if ('changedTools' in change) return compact({ ...permissions, changedTools: change.changedTools ?? undefined });
  const { app } = change;
  if (app === undefined) return compact({ ...permissions, ...changeLevel(permissions ?? {}, change) });
  return withLevel(permissions, app, changeLevel(levelOf(permissions, app), change));
}

/** The permissions with another level for one app; `undefined` as in `changePermissions`. */
export function withLevel(
  permissions: ToolPermissions | undefined,
  app: string,
  level: PermissionLevel,
): ToolPermissions | undefined {
  const others = (permissions?.apps ?? []).filter((each) => each.app !== app);
  return compact({ ...permissions, apps: [...others, { ...level, app }] });
}

export function withPreset(level: PermissionLevel, preset: ToolPreset): PermissionLevel {
  return { ...level, preset, rules: (level.rules ?? []).filter(({ rule }) => survivesPreset(rule, preset)) };
}

function changeLevel(level: PermissionLevel, change: LevelChange): PermissionLevel {
  const { rules = [], without = [] } = level;
  if ('preset' in change) return withPreset(level, change.preset);
  if ('offer' in change) {
    const others = without.filter((capability) => capability !== change.offer);
    return { ...level, without: change.allowed ? others : [...others, change.offer] };
  }
  const others = rules.filter(({ tool }) => tool !== change.tool);
  return { ...level, rules: change.rule === null ? others : [...others, { tool: change.tool, rule: change.rule }] };
}

/** A preset overrides looser rules, which the user can set again. */
function survivesPreset(rule: ToolRule, preset: ToolPreset): boolean {
  if (preset === 'everything' || preset === 'only-allowed') return true;
  return rule === 'deny' || (preset === 'ask-changes' && rule === 'ask');
}

function compact({ apps = [], changedTools, ...general }: ToolPermissions): ToolPermissions | undefined {
  const own = apps.flatMap(({ app, ...each }) => {
    const remaining = compactLevel(each);
    return Object.keys(remaining).length === 0 ? [] : [{ app, ...remaining }];
  });
  const remaining = {
    ...compactLevel(general),
    ...(own.length > 0 && { apps: own }),
    ...(changedTools !== undefined && { changedTools }),
  };
  return Object.keys(remaining).length === 0 ? undefined : remaining;
}

function withoutCapabilities(...all: readonly (readonly Capability[])[]): Pick<PermissionLevel, 'without'> {
  const without = capabilities.filter((capability) => all.some((each) => each.includes(capability)));
  return without.length > 0 ? { without } : {};
}

function compactLevel({ preset, rules = [], without = [] }: PermissionLevel): PermissionLevel {
  return {
    ...(preset !== undefined && preset !== 'everything' && { preset }),
    ...(rules.length > 0 && { rules }),
    ...withoutCapabilities(without),
  };
}

/** The server's own rule for changed tools, or the one from the settings. */
export function withChangedToolRule(
  permissions: ToolPermissions | undefined,
  forAll: ChangedToolRule | undefined,
): ToolPermissions | undefined {
  return forAll === undefined ? permissions : { changedTools: forAll, ...permissions };
}
