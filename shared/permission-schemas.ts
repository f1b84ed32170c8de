import * as z from 'zod';
import { programIdSchema } from './program-record.ts';
import { changedToolRules, offers, permissionBounds, toolPresets, toolRules } from './tool-permissions.ts';

export const ruledToolSchema = z.string().min(1).max(permissionBounds.tool);

const level = {
  preset: z.enum(toolPresets).optional(),
  without: z.array(z.enum(offers)).max(offers.length).optional(),
  rules: z
    .array(z.strictObject({ tool: ruledToolSchema, rule: z.enum(toolRules) }))
    .max(permissionBounds.rules)
    .optional(),
};

export const toolPermissionsSchema = z.strictObject({
  ...level,
  changedTools: z.enum(changedToolRules).optional(),
  programs: z
    .array(z.strictObject({ program: programIdSchema, ...level }))
    .max(permissionBounds.programs)
    .optional(),
});
