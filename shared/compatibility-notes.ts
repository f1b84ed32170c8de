/** Deviations that Postern tolerated or observed. Stored by name with the integration; `noteWords` has the texts. */
export const compatibilityNotes = [
  'no-resource-metadata',
  'authorization-server-skipped',
  'metadata-partly-unusable',
  'challenge-metadata-url-unusable',
  'issuer-subdomain',
  'issuer-trailing-slash',
  'issuer-origin',
  'issuer-by-copy',
  'host-confusable',
  'another-account',
  'address-changed',
  'registered-without-scope',
  'registered-with-five-members',
  'registration-status-not-201',
  'authentication-method-unspecified',
  'other-client-authentication',
  'client-document-refused',
  'registered-again',
  'pkce-not-listed',
  'secret-for-public-client',
  'token-status-not-200',
  'resource-refused',
  'token-type-missing',
  'token-not-bound',
  'refresh-token-empty',
  'expires-in-unusable',
  'scope-unusable',
  'legacy-endpoints',
  'typed-endpoints',
  'newer-address',
  'old-transport',
] as const;

export type CompatibilityNote = (typeof compatibilityNotes)[number];

/** What Postern found, and what it did. */
export const noteWords: Readonly<Record<CompatibilityNote, string>> = {
  'no-resource-metadata': 'The server does not name its sign-in service. Postern used the server’s own address.',
  'authorization-server-skipped':
    'Postern skipped an unusable sign-in service that the server names and used the next one.',
  'metadata-partly-unusable': 'Postern ignored unusable parts of the published sign-in information.',
  'challenge-metadata-url-unusable':
    'The server pointed to an unreadable document. Postern used the standard location.',
  'issuer-subdomain': 'The sign-in service identifies itself with another subdomain of the same domain.',
  'issuer-trailing-slash': 'The sign-in service’s name differs by a trailing slash.',
  'issuer-origin': 'Postern uses the server’s own address as the sign-in service.',
  'issuer-by-copy': 'The server repeats what a sign-in service publishes. Postern checked that service: it matches.',
  'host-confusable': 'The address contains letters that look like others. Check it letter by letter.',
  'another-account': 'The service responded for a different account than before. Check that it is the one you want.',
  'address-changed': 'The address was changed outside Postern. Postern did not send your sign-in to the new one.',
  'registered-without-scope': 'The service registered Postern only without the requested permissions.',
  'registered-with-five-members': 'The service registered Postern only with the most basic details.',
  'registration-status-not-201': 'The service returned an unusual status when it registered Postern.',
  'authentication-method-unspecified': 'The service did not say how to send the client secret.',
  'other-client-authentication': 'The service accepted the client secret only when sent in another way than expected.',
  'client-document-refused':
    'The service rejected the document that identifies Postern. Postern registered itself instead.',
  'registered-again': 'The sign-in page did not respond last time, so Postern registered at the service again.',
  'pkce-not-listed': 'The service does not list PKCE. Postern used it anyway.',
  'secret-for-public-client': 'The service issued a secret but does not want it sent.',
  'resource-refused': 'The service rejects the server’s address in sign-in requests, so Postern leaves it out.',
  'token-status-not-200': 'The service returned an unusual status with the access token.',
  'token-type-missing': 'The service did not say what type of token it issued. Postern assumed the usual one.',
  'token-not-bound': 'The service can bind tokens to a key of this computer but did not.',
  'refresh-token-empty': 'The service issued an unusable refresh token. Postern ignored it.',
  'expires-in-unusable': 'The service gave an unusable token lifetime.',
  'scope-unusable': 'The service gave an unusable list of permissions.',
  'legacy-endpoints': 'Postern uses the standard sign-in addresses of older servers.',
  'typed-endpoints': 'Postern uses the sign-in addresses that you entered.',
  'newer-address': 'You entered an address ending in /sse. Postern uses the server’s newer one, ending in /mcp.',
  'old-transport': 'The server uses the old MCP transport (HTTP+SSE, 2024).',
};

/** The stored notes, and one about the current transport. */
export function notesOf({
  notes,
  protocol,
}: {
  readonly notes: readonly CompatibilityNote[];
  readonly protocol?: 'stateless' | 'session' | 'sse' | undefined;
}): CompatibilityNote[] {
  return [...notes, ...noteIf(protocol === 'sse', 'old-transport')];
}

const known: ReadonlySet<string> = new Set(compatibilityNotes);

/** The notes that this version knows: another version may have stored others. */
export function knownNotes(notes: readonly string[]): CompatibilityNote[] {
  return notes.filter((note): note is CompatibilityNote => known.has(note));
}

/** `note` in a list if `holds`, otherwise an empty list. */
export function noteIf(holds: boolean, note: CompatibilityNote): readonly CompatibilityNote[] {
  return holds ? [note] : [];
}

/** The address was changed in the settings file, so it no longer matches the stored secrets. */
export const addressChangedNote = 'address-changed';
