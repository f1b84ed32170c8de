import type { ToolPreset } from '../../../shared/tool-permissions.ts';

export const presetChoices = ['everything', 'ask-changes', 'read-only'] as const satisfies readonly ToolPreset[];
/** What becomes of a tool; `default` takes a rule back. */
export const ruleChoices = ['allow', 'ask', 'deny', 'default'] as const;
