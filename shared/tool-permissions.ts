/** What becomes of a program's call of a tool: it goes on, a person is asked each time, or it is refused. */
export const toolRules = ['allow', 'ask', 'deny'] as const;
export type ToolRule = (typeof toolRules)[number];

/**
 * What holds for tools without a rule of their own. `ask-changes` and `read-only` go by what the server says of a tool
 * (`readOnlyHint`, MCP 2025-11-25, tool annotations): a hint, which nobody checks. `only-allowed`: they are denied.
 */
export const toolPresets = ['everything', 'ask-changes', 'read-only', 'only-allowed'] as const;
export type ToolPreset = (typeof toolPresets)[number];

/**
 * What becomes of tools that say something else of themselves than what the person has looked at, and of new ones:
 * `hold` keeps them from programs, and from Postern's own calls, until the person has looked.
 */
export const changedToolRules = ['show', 'hold'] as const;
export type ChangedToolRule = (typeof changedToolRules)[number];

/** Of one level: rules, programs; characters of a tool's name. */
export const permissionBounds = { rules: 1_000, programs: 200, tool: 256 } as const;

/** What a server offers beside tools: all of it, or nothing. */
export const offers = ['resources', 'prompts'] as const;
export type Offer = (typeof offers)[number];

/** What holds at one level. The rules are a list, since a tool may be called like a member that every object has. */
export interface PermissionLevel {
  /** Left out: everything. */
  preset?: ToolPreset | undefined;
  /** What programs get none of. */
  without?: Offer[] | undefined;
  /** One of each tool; of several, written by hand, the strictest counts. */
  rules?: { tool: string; rule: ToolRule }[] | undefined;
}

/** Which tools of one server programs may call: what holds for all of them, and for single ones of the table. */
export interface ToolPermissions extends PermissionLevel {
  programs?: (PermissionLevel & { program: string })[] | undefined;
  /** Left out: as for all servers. */
  changedTools?: ChangedToolRule | undefined;
}

/** A tool by what decides of it. */
export interface RuledTool {
  readonly name: string;
  /** The server says that it changes nothing. */
  readonly readOnly: boolean;
}

/**
 * What becomes of a call. A rule for the tool comes before the preset of its level, and of the two levels the stricter
 * one counts; but a rule that a person has made for this tool in this very program comes before asking. No denial is
 * lifted. `program`: of the table; left out where nobody has added it.
 */
export function decideTool(
  permissions: ToolPermissions | undefined,
  program: string | undefined,
  tool: RuledTool,
): ToolRule {
  if (!permissions) return 'allow';
  const own = levelOf(permissions, program);
  const general = ruleOfLevel(permissions, tool);
  const particular = ruleOfLevel(own, tool);
  if (general === 'deny' || particular === 'deny') return 'deny';
  const chosen = ownRule(own, tool.name);
  if (chosen) return chosen;
  return general === 'ask' || particular === 'ask' ? 'ask' : 'allow';
}

/** Whether a program gets anything of this kind: either level can take it away. */
export function isOffered(
  permissions: ToolPermissions | undefined,
  program: string | undefined,
  offer: Offer,
): boolean {
  return [permissions ?? {}, levelOf(permissions, program)].every(({ without = [] }) => !without.includes(offer));
}

export function holdsChanges(permissions: ToolPermissions | undefined): boolean {
  return permissions?.changedTools === 'hold';
}

/** Whether any call of this program may be held or refused. */
export function isRestricted(permissions: ToolPermissions | undefined, program: string | undefined): boolean {
  if (!permissions) return false;
  if (holdsChanges(permissions)) return true;
  return [permissions, levelOf(permissions, program)].some(
    ({ preset = 'everything', rules = [], without = [] }) =>
      preset !== 'everything' || without.length > 0 || rules.some(({ rule }) => rule !== 'allow'),
  );
}

/** What is set for all programs, or for one. */
export function levelOf(permissions: ToolPermissions | undefined, program: string | undefined): PermissionLevel {
  if (program === undefined) return {};
  const all = permissions?.programs ?? [];
  const own = all.flatMap(({ program: whose, ...level }) => (whose === program ? [level] : []));
  const [first = {}] = own;
  if (own.length <= 1) return first;
  // Written twice, by hand: what any of them says, the strictest counts.
  const presets = new Set(own.map(({ preset }) => preset));
  return {
    preset: toolPresets.findLast((preset) => presets.has(preset)),
    rules: own.flatMap(({ rules = [] }) => rules),
    ...withoutOffers(...own.map(({ without = [] }) => without)),
  };
}

/** The rule that one level has for a tool itself. */
export function ownRule({ rules = [] }: PermissionLevel, name: string): ToolRule | undefined {
  const exact = rules.filter(({ tool }) => tool === name).map(({ rule }) => rule);
  if (exact.length > 0) return toolRules.findLast((rule) => exact.includes(rule));
  // A server may take another spelling for the same tool: what restricts holds for that too, what allows does not.
  const alike = rules.filter(({ tool, rule }) => rule !== 'allow' && plain(tool) === plain(name));
  return alike.some(({ rule }) => rule === 'deny') ? 'deny' : alike[0]?.rule;
}

function ruleOfLevel(level: PermissionLevel, { name, readOnly }: RuledTool): ToolRule {
  const rule = ownRule(level, name);
  if (rule) return rule;
  if (level.preset === 'only-allowed') return 'deny';
  if (readOnly || (level.preset ?? 'everything') === 'everything') return 'allow';
  return level.preset === 'read-only' ? 'deny' : 'ask';
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}]/gu, '')
    .toLowerCase();
}

type LevelChange = { readonly program?: string | undefined } & (
  | { readonly preset: ToolPreset }
  | { readonly tool: string; readonly rule: ToolRule | null }
  | { readonly offer: Offer; readonly allowed: boolean }
);

/** What a person sets; `null` takes a rule back. Without `program` it is for all of them. */
export type PermissionChange = LevelChange | { readonly changedTools: ChangedToolRule | null };

/** The permissions after a change; `undefined` where nothing is restricted or ruled any more. */
export function changePermissions(
  permissions: ToolPermissions | undefined,
  change: PermissionChange,
): ToolPermissions | undefined {
  if ('changedTools' in change) return compact({ ...permissions, changedTools: change.changedTools ?? undefined });
  const { program } = change;
  if (program === undefined) return compact({ ...permissions, ...changeLevel(permissions ?? {}, change) });
  return withLevel(permissions, program, changeLevel(levelOf(permissions, program), change));
}

/** With another level for one program; `undefined` as of `changePermissions`. */
export function withLevel(
  permissions: ToolPermissions | undefined,
  program: string,
  level: PermissionLevel,
): ToolPermissions | undefined {
  const others = (permissions?.programs ?? []).filter((each) => each.program !== program);
  return compact({ ...permissions, programs: [...others, { ...level, program }] });
}

function changeLevel(level: PermissionLevel, change: LevelChange): PermissionLevel {
  const { rules = [], without = [] } = level;
  if ('preset' in change)
    return { ...level, preset: change.preset, rules: rules.filter(({ rule }) => isKept(rule, change.preset)) };
  if ('offer' in change) {
    const others = without.filter((offer) => offer !== change.offer);
    return { ...level, without: change.allowed ? others : [...others, change.offer] };
  }
  const others = rules.filter(({ tool }) => tool !== change.tool);
  return { ...level, rules: change.rule === null ? others : [...others, { tool: change.tool, rule: change.rule }] };
}

/** Whoever chooses a preset means it: what was looser is looser no more, and can be made so again. */
function isKept(rule: ToolRule, preset: ToolPreset): boolean {
  if (preset === 'everything' || preset === 'only-allowed') return true;
  return rule === 'deny' || (preset === 'ask-changes' && rule === 'ask');
}

function compact({ programs = [], changedTools, ...general }: ToolPermissions): ToolPermissions | undefined {
  const own = programs.flatMap(({ program, ...each }) => {
    const left = compactLevel(each);
    return Object.keys(left).length === 0 ? [] : [{ program, ...left }];
  });
  const left = {
    ...compactLevel(general),
    ...(own.length > 0 && { programs: own }),
    ...(changedTools !== undefined && { changedTools }),
  };
  return Object.keys(left).length === 0 ? undefined : left;
}

function withoutOffers(...all: readonly (readonly Offer[])[]): Pick<PermissionLevel, 'without'> {
  const without = offers.filter((offer) => all.some((each) => each.includes(offer)));
  return without.length > 0 ? { without } : {};
}

function compactLevel({ preset, rules = [], without = [] }: PermissionLevel): PermissionLevel {
  return {
    ...(preset !== undefined && preset !== 'everything' && { preset }),
    ...(rules.length > 0 && { rules }),
    ...withoutOffers(without),
  };
}

/** What holds for one server: its own choice about changed tools, or that of the settings for all of them. */
export function withChangedToolRule(
  permissions: ToolPermissions | undefined,
  forAll: ChangedToolRule | undefined,
): ToolPermissions | undefined {
  return forAll === undefined ? permissions : { changedTools: forAll, ...permissions };
}
