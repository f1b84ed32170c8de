import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { callbackPath } from '../main/engine/sign-in/callback-address.ts';
import { isClientMetadataUrl } from '../main/oauth/client/client-metadata-url.ts';
import { clientIdentity } from '../main/oauth/client/registration-request.ts';

/**
 * Writes the client metadata document for whoever hosts it:
 * `npx node scripts/write-client-metadata.ts [URL [FILE]]`. URL is where it will stand; it is the client id, and what
 * `--client-metadata-url` takes.
 */

/** A name that belongs to nobody (RFC 2606): to be replaced by the real address. */
export const exampleUrl = 'https://postern.example/client-metadata.json';

/**
 * The document that stands at a client metadata URL (MCP 2026-07-28, client id metadata documents). Its redirect
 * URIs have no port: an authorization server takes any port of a loopback address (RFC 8252 7.3). `url` is where it
 * is hosted, which is the client id too.
 */
export function createClientMetadataDocument(url: string): Readonly<Record<string, unknown>> {
  return {
    client_id: url,
    ...clientIdentity,
    redirect_uris: ['127.0.0.1', 'localhost'].map((host) => `http://${host}${callbackPath}`),
    // Nothing in a program that everybody has can be secret (RFC 8252 8.5).
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
    console.log(`Wrote ${path.relative(process.cwd(), file)}. It has to stand at ${url}, as application/json.`);
  } else {
    console.error('The address has to begin with https://, have a path, and hold neither user name nor fragment.');
    process.exitCode = 2;
  }
}
