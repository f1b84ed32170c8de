import * as z from 'zod';
import { clientAuthenticationMethods } from './choices.ts';
import { chosenOptionsSchema, mostAllowedHosts } from './integration.ts';

const id = z.string().min(1).max(64);
const name = z.string().trim().min(1).max(80);
const address = z.string().max(16_384);
const byId = z.strictObject({ id });
const done = z.null();
const options = chosenOptionsSchema;

/** An app of the person's own. */
export const typedClient = {
  clientId: z.string().trim().min(1).max(4_096),
  /** Left out: the one that is kept, if the id is the same; else a public client. */
  clientSecret: z.string().min(1).max(8_192).optional(),
  clientAuthentication: z.enum(clientAuthenticationMethods).optional(),
  /** When the service ends the secret, milliseconds since 1970, where the person knows it. */
  secretExpiresAt: z.number().int().min(0).optional(),
};

/** What a window may ask of main about a connection; a part of `ipc-contract.ts`. */
export const connectionCalls = {
  /** With `id`, asks again for that connection (another address, other options). Opens nothing. */
  'connection:discover': {
    input: z.strictObject({
      id: id.optional(),
      url: address,
      options,
      importEntry: id.optional(),
      /** Typed for the same address before, or what the service is called. */
      name: name.optional(),
      /** The user gave this address themselves: with the setting `connectAtOnce` a plain verdict goes on by itself. */
      atOnce: z.literal(true).optional(),
    }),
    output: byId,
  },
  /** The button of the verdict. With `header` an API key goes with every request instead of a sign-in. */
  'connection:start': {
    input: z.strictObject({
      id,
      name: name.optional(),
      options: options.optional(),
      header: z.strictObject({ name: z.string().min(1).max(128), value: z.string().min(1).max(8_192) }).optional(),
      /** Asks for an app of the person's own, whatever Postern may come by itself. Also for a sign-in again. */
      ownApp: z.literal(true).optional(),
      /** The hosts that the person was shown and said yes to. */
      agreesTo: z.array(z.string().max(253)).max(mostAllowedHosts).optional(),
    }),
    output: done,
  },
  /**
   * Main asks the person which file, in a dialog of the system; from then on the connection has it (`assertionFile`).
   * False: they chose none. Errors: ASSERTION_INVALID for a file that cannot be read.
   */
  'connection:chooseAssertionFile': { input: byId, output: z.strictObject({ chosen: z.boolean() }) },
  'connection:submitCredentials': {
    input: z.strictObject({ id, ...typedClient, options: options.optional() }),
    output: done,
  },
  /** From the credential dialog: as before, without typing. From `failed`: from the start. */
  'connection:tryAgain': { input: byId, output: done },
  /** The address that a browser landed on, pasted. */
  'connection:submitCallback': {
    input: z.strictObject({ id, address }),
    output: z.strictObject({
      verdict: z.enum(['done', 'refused', 'expired', 'not-valid', 'failed', 'used', 'superseded', 'opened-twice']),
    }),
  },
  'connection:openAgain': { input: byId, output: done },
  /** Starts it over in a browser, where it waits for another device. */
  'connection:useBrowser': { input: byId, output: done },
  /** Starts it over with a code for any device (RFC 8628), where `pending.offersDevice`. */
  'connection:useDevice': { input: byId, output: done },
  /** Ends what goes on; all that was typed stays. */
  'connection:stop': { input: byId, output: done },
  /** Ends it if it runs, and takes it off the list. */
  'connection:cancel': { input: byId, output: done },
  /** Spends the auth ticket (spec 2.10): only then are tokens stored. */
  'connection:install': {
    input: z.strictObject({ ticketId: z.string().min(1).max(128), name: name.optional() }),
    output: z.strictObject({ integrationId: id }),
  },
} as const;
