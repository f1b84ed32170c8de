import { iconBounds as bounds } from './icon-bounds.ts';
import { readPictureSize } from '../views/picture-size.ts';

const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * A picture that may be drawn: a PNG, JPEG or WebP by its first bytes, of a bounded number of pixels by what it says of
 * itself, since a few kilobytes can stand for gigabytes. Nobody has decoded it: the window does, in its sandbox.
 */
export function readIcon(bytes: Buffer, declared?: string | null): Buffer | undefined {
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
