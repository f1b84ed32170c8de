import type { IncomingMessage } from 'node:http';

const longestForm = 16 * 1024;

/** Reads a URL-encoded form. Rejects if it is longer than 16 KiB. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestForm) throw new Error('The form is too long.');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
