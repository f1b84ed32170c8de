import type { ChangedToolRule, ToolPreset } from '../../../shared/tool-permissions.ts';

export const presetChoices = ['everything', 'ask-changes', 'read-only'] as const satisfies readonly ToolPreset[];
/** What becomes of a tool; `default` takes a rule back. */
export const ruleChoices = ['allow', 'ask', 'deny', 'default'] as const;
/** What becomes of tools that have changed; `default` is what the settings say. */
export const changedToolChoices = ['show', 'hold', 'default'] as const satisfies readonly (
  ChangedToolRule | 'default'
)[];
/** Of resources and prompts. */
export const offerChoices = ['on', 'off'] as const;
