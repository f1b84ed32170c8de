import { describe, expect, it } from 'vitest';
import { toolPermissionsSchema } from '../../../shared/integration.ts';
import { changePermissions, decideTool, isExposed, isRestricted } from '../../../shared/tool-permissions.ts';
import type { ToolPermissions, ToolRule } from '../../../shared/tool-permissions.ts';

const write = { name: 'write', readOnly: false };
const rule = (all: ToolRule | undefined, own: ToolRule | undefined): ToolPermissions => ({
  ...(all && { rules: [{ tool: 'write', rule: all }] }),
  ...(own && { apps: [{ app: 'cursor', rules: [{ tool: 'write', rule: own }] }] }),
});

describe('the decision about a call', () => {
  it.each<[ToolRule | undefined, ToolRule | undefined, ToolRule]>([
    [undefined, undefined, 'allow'],
    ['deny', undefined, 'deny'],
    ['deny', 'allow', 'deny'],
    ['allow', 'deny', 'deny'],
    ['ask', undefined, 'ask'],
    ['ask', 'allow', 'allow'],
    ['allow', 'ask', 'ask'],
  ])('with %s for all and %s for the app is %s', (all, own, held) => {
    expect(decideTool(rule(all, own), 'cursor', write)).toBe(held);
    expect(decideTool(rule(all, own), 'zed', write)).toBe(all ?? 'allow');
    expect(decideTool(rule(all, own), undefined, write)).toBe(all ?? 'allow');
  });

  it('follows the stricter preset for tools without a rule', () => {
    const set: ToolPermissions = { preset: 'ask-changes', apps: [{ app: 'cursor', preset: 'read-only' }] };
    expect(decideTool(set, 'cursor', write)).toBe('deny');
    expect(decideTool(set, 'zed', write)).toBe('ask');
    expect(decideTool(set, 'cursor', { name: 'look', readOnly: true })).toBe('allow');
  });

  it('follows the strictest of several hand-written rules for one tool, or parts for one app', () => {
    const rules = (...all: ToolRule[]) => all.map((each) => ({ tool: 'write', rule: each }));
    expect(decideTool({ rules: rules('allow', 'deny') }, 'cursor', write)).toBe('deny');
    expect(decideTool({ rules: rules('ask', 'allow') }, 'cursor', write)).toBe('ask');
    const apps = [
      { app: 'cursor', rules: rules('allow') },
      { app: 'cursor', preset: 'read-only' as const, rules: rules('deny'), without: ['prompts' as const] },
    ];
    expect(decideTool({ apps }, 'cursor', write)).toBe('deny');
    expect(isExposed({ apps }, 'cursor', 'prompts')).toBe(false);
    expect(isExposed({ apps }, 'zed', 'prompts')).toBe(true);
  });

  it('is the same for tools named like Object.prototype members', () => {
    const set = toolPermissionsSchema.parse(
      JSON.parse('{"rules":[{"tool":"__proto__","rule":"deny"},{"tool":"constructor","rule":"ask"}]}'),
    );
    expect(decideTool(set, 'cursor', { name: '__proto__', readOnly: true })).toBe('deny');
    expect(decideTool(set, 'cursor', { name: 'constructor', readOnly: true })).toBe('ask');
    expect(decideTool(set, 'cursor', { name: 'toString', readOnly: false })).toBe('allow');
  });
});

describe('a change', () => {
  it('drops looser rules when a preset is chosen, and keeps denials', () => {
    let set: ToolPermissions | undefined;
    for (const [tool, each] of [
      ['a', 'allow'],
      ['b', 'ask'],
      ['c', 'deny'],
    ] as const)
      set = changePermissions(set, { tool, rule: each });
    expect(changePermissions(set, { preset: 'ask-changes' })?.rules?.map(({ tool }) => tool)).toEqual(['b', 'c']);
    expect(changePermissions(set, { preset: 'read-only' })?.rules?.map(({ tool }) => tool)).toEqual(['c']);
  });

  it('leaves no empty entries', () => {
    const set = changePermissions(undefined, { app: 'cursor', tool: 'a', rule: 'deny' });
    expect(isRestricted(set, 'cursor')).toBe(true);
    expect(isRestricted(set, 'zed')).toBe(false);
    expect(changePermissions(set, { app: 'cursor', tool: 'a', rule: null })).toBeUndefined();
    expect(changePermissions({ preset: 'read-only' }, { preset: 'everything' })).toBeUndefined();
  });
});
