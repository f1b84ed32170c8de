import type { AddressPolicy } from '../../address/address-policy.ts';
import { iconBounds as bounds } from './icon-bounds.ts';
import type { Http } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { IconSource } from './choose-icons.ts';
import { readPictureSize } from '../views/picture-size.ts';

const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * The first of these that may be drawn. Asked for without a credential, a cookie or anything else that tells who asks,
 * and within the origin (MCP 2025-11-25, icons: "fetch icons without credentials", no redirect to another host).
 */
export async function fetchIcon(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  sources: readonly IconSource[],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  for (const source of sources) {
    const found = source.kind === 'inside' ? readIcon(source.bytes) : await ask(http, policy, source.url, signal);
    if (found) return found;
  }
  return undefined;
}

async function ask(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  url: Extract<IconSource, { kind: 'at' }>['url'],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { status, headers, body } = await http.exchange({
      purpose: 'icon',
      stage: 'connection',
      method: 'GET',
      url,
      headers: { accept: 'image/png, image/webp, image/jpeg' },
      policy,
      redirects: 'same-origin',
      deadline: bounds.deadline,
      bodyLimit: bounds.bytes,
      signal,
    });
    return status === 200 ? readIcon(Buffer.from(body), headers.get('content-type')) : undefined;
  } catch (error) {
    // Without a picture the window draws a letter.
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

/**
 * A picture that may be drawn: a PNG, JPEG or WebP by its first bytes, of a bounded number of pixels by what it says of
 * itself, since a few kilobytes can stand for gigabytes. Nobody has decoded it: the window does, in its sandbox.
 */
function readIcon(bytes: Buffer, declared?: string | null): Buffer | undefined {
  if (bytes.length > bounds.bytes) return undefined;
  const size = readPictureSize(bytes);
  if (!size || !types.has(size.type) || size.width > bounds.side || size.height > bounds.side) return undefined;
  return isSameType(declared, size.type) ? bytes : undefined;
}

/** What the server says of its type has to be so (MCP 2025-11-25, icons: a mismatch is rejected). */
function isSameType(declared: string | null | undefined, type: string): boolean {
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSilent = said === '' || said === 'application/octet-stream' || said === 'binary/octet-stream';
  return isSilent || said === type || (said === 'image/jpg' && type === 'image/jpeg');
}
