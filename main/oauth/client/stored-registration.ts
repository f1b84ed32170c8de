import * as z from 'zod';
import { knownNotes } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { json, urlLength } from '../../limits.ts';
import { Secret } from '../../secret.ts';
import { readClientCredentials, storeClientCredentials } from './client-credentials.ts';
import type { ClientRegistration } from './registration-response.ts';

const storedSchema = z.object({
  credentials: z.unknown(),
  registrationAccessToken: z.string().min(1).max(json.text).optional(),
  registrationClientUri: z.string().min(1).max(urlLength.received).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  clientSecretExpiresAt: z.number().int().optional(),
  forDevices: z.boolean().optional(),
  unanswered: z.object({ by: z.string(), since: z.number() }).optional(),
  notes: z.array(z.string()).transform(knownNotes),
});

export type StoredClientRegistration = z.infer<typeof storedSchema>;

/** Plain JSON for a sealed vault record: holds the client secret and the registration access token themselves. */
export function storeClientRegistration(registration: ClientRegistration): StoredClientRegistration {
  const { credentials, registrationAccessToken, notes, ...rest } = registration;
  return {
    ...rest,
    credentials: storeClientCredentials(credentials),
    ...(registrationAccessToken && { registrationAccessToken: registrationAccessToken.reveal() }),
    notes: [...notes],
  };
}

/** What `storeClientRegistration` made; `undefined` for anything else, since vault records are untrusted. */
export function readClientRegistration(record: unknown): ClientRegistration | undefined {
  const { success, data } = storedSchema.safeParse(record);
  if (!success) return undefined;
  const { credentials: storedCredentials, registrationAccessToken, ...rest } = dropUndefined(data);
  const credentials = readClientCredentials(storedCredentials);
  if (credentials === undefined) return undefined;
  return {
    ...rest,
    credentials,
    ...(registrationAccessToken !== undefined && { registrationAccessToken: new Secret(registrationAccessToken) }),
  };
}
