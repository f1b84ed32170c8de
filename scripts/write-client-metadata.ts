import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callbackPath } from '../main/engine/sign-in/callback-address.ts';
import { clientIdentity, isClientMetadataUrl } from '../main/oauth/client/registration-request.ts';

/**
 * Writes a client ID metadata document to be hosted: `npx node scripts/write-client-metadata.ts [URL [FILE]]`. URL is
 * where it will be hosted; it is also the client ID and the value of `--client-metadata-url`.
 */

/** A reserved name (RFC 2606), to be replaced by the real URL. */
export const exampleUrl = 'https://postern.example/client-metadata.json';

/**
 * The document at a client metadata URL (MCP 2026-07-28, Client ID Metadata Documents). Its redirect URIs have no port:
 * an authorization server accepts any port of a loopback address (RFC 8252 7.3). `url` is where it is hosted, which is
 * also the client ID.
 */
export function createClientMetadataDocument(url: string): Readonly<Record<string, unknown>> {
  return {
    client_id: url,
    ...clientIdentity,
    redirect_uris: ['127.0.0.1', 'localhost'].map((host) => `http://${host}${callbackPath}`),
    // Nothing in a public binary can be secret (RFC 8252 8.5).
    token_endpoint_auth_method: 'none',
  };
}

export function renderClientMetadata(url: string): string {
  return `${JSON.stringify(createClientMetadataDocument(url), null, 2)}\n`;
}

if (import.meta.main) {
  const [url = exampleUrl, file = path.join(import.meta.dirname, '../docs/client-metadata.json')] =
    process.argv.slice(2);
  if (isClientMetadataUrl(url)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, renderClientMetadata(url));
    console.log(`Wrote ${path.relative(process.cwd(), file)}. Host it at ${url} as application/json.`);
  } else {
    console.error('The URL must start with https:// and have a path, but no user name or fragment.');
    process.exitCode = 2;
  }
}
