import * as z from 'zod';
import { integrationSchema } from '../../../shared/integration.ts';
import { type PendingDeletion, pendingDeletionSchema } from '../../../shared/pending-deletion.ts';
import type { Integration } from '../../../shared/integration.ts';

const { issuerKey, ...shape } = integrationSchema.shape;

/** An integration as the settings file has it: there `issuerKey` has been called `issuer` from the beginning. */
export const storedIntegrationSchema = z
  .strictObject({ ...shape, issuer: issuerKey })
  .transform(({ issuer, ...rest }): Integration => (issuer === undefined ? rest : { ...rest, issuerKey: issuer }));

export function storeIntegration({ issuerKey: issuer, ...rest }: Integration): z.input<typeof storedIntegrationSchema> {
  return issuer === undefined ? rest : { ...rest, issuer };
}

export const storedDeletionSchema: z.ZodType<PendingDeletion> = pendingDeletionSchema.extend({
  integration: storedIntegrationSchema,
});

export function storeDeletion({ integration, ...rest }: PendingDeletion): z.input<typeof storedDeletionSchema> {
  return { ...rest, integration: storeIntegration(integration) };
}
