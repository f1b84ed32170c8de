/** What had to be tolerated of a server, or was seen of it. Kept with its integration by name, told in `noteWords`. */
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
  'authentication-method-not-told',
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

/** One sentence for each, or two: what was found, and what Postern did. */
export const noteWords: Readonly<Record<CompatibilityNote, string>> = {
  'no-resource-metadata': 'The server does not name its sign-in service; its own address was used.',
  'authorization-server-skipped': 'A sign-in service that the server names could not be used; the next one was taken.',
  'metadata-partly-unusable': 'Parts of the published sign-in information could not be used, and were left out.',
  'challenge-metadata-url-unusable':
    'The server pointed to a document that could not be read; the usual place was used.',
  'issuer-subdomain': 'The sign-in service names itself by another subdomain. Both are under one domain.',
  'issuer-trailing-slash': 'The sign-in service names itself with one slash more or less.',
  'issuer-origin': 'The server’s own address is taken for the sign-in service.',
  'issuer-by-copy': 'The server only repeats what a sign-in service says of itself. That service said the same.',
  'host-confusable':
    'The address has letters that look like others, and may be mistaken for another one. Read it letter by letter.',
  'another-account': 'The service answered for another account than before. Check that it is the one you want.',
  'address-changed':
    'Its address was changed outside Postern. What you signed in with before was not sent to the new one.',
  'registered-without-scope': 'The service registered Postern only without the permissions it asked for.',
  'registered-with-five-members': 'The service registered Postern only with the most basic details.',
  'registration-status-not-201': 'The service answered with an unusual status when it registered Postern.',
  'authentication-method-not-told': 'The service did not say how the client secret is to be sent.',
  'other-client-authentication':
    'The service took the client secret only when it was sent in another way than expected.',
  'client-document-refused':
    'The service refused the published document that says who Postern is; Postern registered instead.',
  'registered-again': 'The sign-in page did not answer the last time, so Postern registered with the service again.',
  'pkce-not-listed': 'The service does not list PKCE; the sign-in was protected by it all the same.',
  'secret-for-public-client': 'The service gave a secret that it does not want to see.',
  'resource-refused': 'The service refuses to be told which server its access is for, so Postern leaves that out.',
  'token-status-not-200': 'The service answered with an unusual status when it gave the access.',
  'token-type-missing': 'The service did not say what kind of access it gave; the usual kind was assumed.',
  'token-not-bound': 'The service can bind the access to a key of this computer, but did not.',
  'refresh-token-empty': 'The service gave a refresh token that cannot be used; it was ignored.',
  'expires-in-unusable': 'The service said in an unusable way how long the access lasts.',
  'scope-unusable': 'The service said in an unusable way which permissions it gave.',
  'legacy-endpoints': 'The addresses of older servers are assumed.',
  'typed-endpoints': 'The addresses of the sign-in service are the ones that you entered.',
  'newer-address': 'You entered an address ending in /sse; the same server’s newer one, ending in /mcp, is used.',
  'old-transport': 'The server speaks the old transport of MCP, HTTP+SSE of 2024.',
};

/** Those that are kept, and what is said of the wire that it speaks now. */
export function notesOf({
  notes,
  era,
}: {
  readonly notes: readonly CompatibilityNote[];
  readonly era?: 'modern' | 'legacy' | 'sse' | undefined;
}): CompatibilityNote[] {
  return [...notes, ...noteIf(era === 'sse', 'old-transport')];
}

const known: ReadonlySet<string> = new Set(compatibilityNotes);

/** Those that this version knows: another one may have kept others. */
export function knownNotes(notes: readonly string[]): CompatibilityNote[] {
  return notes.filter((note): note is CompatibilityNote => known.has(note));
}

/** For a list of notes: this one where it holds, else nothing. */
export function noteIf(holds: boolean, note: CompatibilityNote): readonly CompatibilityNote[] {
  return holds ? [note] : [];
}

/** In the notes of an integration whose address was changed in the settings file, away from its secrets. */
export const addressChangedNote = 'address-changed';
