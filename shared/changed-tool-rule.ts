import type { ChangedToolRule, ToolPermissions } from './tool-permissions.ts';

/** What holds for one server: its own choice about changed tools, or that of the settings for all of them. */
export function withChangedToolRule(
  permissions: ToolPermissions | undefined,
  forAll: ChangedToolRule | undefined,
): ToolPermissions | undefined {
  return forAll === undefined ? permissions : { changedTools: forAll, ...permissions };
}
