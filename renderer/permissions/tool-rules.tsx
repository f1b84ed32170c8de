import type { ToolView } from '../../shared/mcp-view.ts';
import { decideTool, levelOf, ownRule, permissionBounds, toolRules } from '../../shared/tool-permissions.ts';
import type { ToolPermissions, ToolRule } from '../../shared/tool-permissions.ts';
import { Choice } from '../parts/choice.tsx';
import { words } from '../words.ts';
import { ToolHints } from './tool-hints.tsx';

interface ToolRulesProps {
  readonly permissions: ToolPermissions | undefined;
  /** Left out: for all programs. */
  readonly program: string | undefined;
  /** Left out: the server has not said. */
  readonly tools: readonly ToolView[] | undefined;
  readonly onRule: (tool: string, rule: ToolRule | null) => void;
}

const byPreset = 'preset';

/** Each tool with what becomes of a call of it. Those that are ruled and gone stay in the list, so that they can be let go. */
export function ToolRules({ permissions, program, tools, onRule }: ToolRulesProps) {
  const { permits } = words;
  const level = program === undefined ? (permissions ?? {}) : levelOf(permissions, program);
  const listed = tools ?? [];
  const gone = (level.rules ?? []).filter(({ tool }) => !listed.some(({ name }) => name === tool));
  if (tools && listed.length + gone.length === 0) return <p className="soft">{words.tools.none.tools}</p>;
  const rows = [
    ...listed.map(({ name, title, readOnly, hints }) => ({
      name,
      title,
      hints,
      readOnly: readOnly === true,
      isGone: false,
    })),
    ...gone.map(({ tool }) => ({
      name: tool,
      title: undefined,
      hints: undefined,
      readOnly: false,
      isGone: tools !== undefined,
    })),
  ];
  return (
    <ul className="tool-rules">
      {rows
        // A rule is for a name as it is kept.
        .filter(({ name }) => name.length > 0 && name.length <= permissionBounds.tool)
        .map((tool) => {
          const rule = ownRule({ rules: level.rules?.filter((each) => each.tool === tool.name) }, tool.name);
          const unruled = level.rules?.filter((each) => each.tool !== tool.name);
          const otherwise = decideTool({ ...level, rules: unruled }, undefined, tool);
          const held = decideTool(permissions, program, tool);
          const own = rule ?? otherwise;
          return (
            <li key={tool.name} className="tool-rule">
              <div className="tool-rule-name">
                <span>{tool.title ?? tool.name}</span>
                <span className="soft small">
                  {tool.isGone ? permits.gone : tool.readOnly ? words.tools.readOnly : ''}
                  {!tool.isGone && own !== held ? ` ${permits.decidedByAll(permits.holds[held])}` : ''}
                </span>
                <ToolHints hints={tool.hints} />
              </div>
              <Choice
                aria-label={permits.ruleOf(tool.title ?? tool.name)}
                value={rule ?? byPreset}
                options={[
                  { value: byPreset, label: permits.byPreset(permits.holds[otherwise]) },
                  ...toolRules.map((value) => ({ value, label: permits.rules[value] })),
                ]}
                onChoose={(next) => onRule(tool.name, next === byPreset ? null : next)}
              />
            </li>
          );
        })}
    </ul>
  );
}
