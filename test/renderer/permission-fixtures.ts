import type { HeldCallView } from '../../shared/held-call-view.ts';
import type { ToolPermissions } from '../../shared/tool-permissions.ts';

export function aHeldCall(change: Partial<HeldCallView> = {}): HeldCallView {
  return {
    id: 'a-call',
    program: 'Cursor',
    integration: 'Linear',
    integrationId: 'linear',
    tool: 'delete_issue',
    readOnly: false,
    input: '{\n  "id": "LIN-17",\n  "why": "no longer\\u{200b} needed"\n}',
    isCut: false,
    canLast: true,
    expiresAt: Date.now() + 45_000,
    ...change,
  };
}

export const somePermissions: ToolPermissions = {
  preset: 'ask-changes',
  rules: [{ tool: 'delete_issue', rule: 'deny' }],
  programs: [{ program: 'cursor', preset: 'read-only', rules: [{ tool: 'a_tool_of_yesterday', rule: 'allow' }] }],
};
