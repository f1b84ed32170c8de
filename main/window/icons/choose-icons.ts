import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';

type IconTheme = 'light' | 'dark';

/** An inline icon (a `data:` URL), or the URL of one at the server. */
export type IconSource =
  { readonly kind: 'inline'; readonly bytes: Buffer } | { readonly kind: 'remote'; readonly url: CheckedAddress };

interface IconCandidate {
  readonly src: string;
  readonly source: IconSource;
  readonly theme?: string | undefined;
  /** Pixels of the longer side; `undefined` if unknown or scalable. */
  readonly side?: number | undefined;
}

/** No SVG, which can contain scripts; decoders of rarer formats are less well tested. */
const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp']);
const isImageType = (type: unknown): boolean => typeof type === 'string' && types.has(type.toLowerCase());
/** Largest display size in pixels. */
const displaySide = 64;

/**
 * A server's icons (MCP 2025-11-25, `Implementation.icons`), best first for each theme. Excluded: icons at another
 * origin, with another URL scheme, or declared as anything but PNG, JPEG or WebP (MCP 2025-11-25, icons, security
 * considerations).
 */
export function chooseIcons(
  server: CheckedAddress,
  icons: unknown,
): Readonly<Record<IconTheme, readonly IconSource[]>> {
  const candidates = Array.isArray(icons)
    ? icons.slice(0, iconBounds.listed).flatMap((each) => readCandidate(server, each) ?? [])
    : [];
  const best = (theme: IconTheme): readonly IconSource[] =>
    candidates
      .toSorted((left, right) => rankTheme(left, theme) - rankTheme(right, theme) || rankSize(left) - rankSize(right))
      .slice(0, iconBounds.tries)
      .map(({ source }) => source);
  return { light: best('light'), dark: best('dark') };
}

function readCandidate(server: CheckedAddress, value: unknown): IconCandidate | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { src, mimeType, sizes, theme } = value as Readonly<Record<string, unknown>>;
  if (typeof src !== 'string' || src.length > iconBounds.urlLength) return undefined;
  if (mimeType !== undefined && !isImageType(mimeType)) return undefined;
  const source = readSource(server, src);
  return source && { src, source, theme: typeof theme === 'string' ? theme : undefined, side: readSide(sizes) };
}

function readSource(server: CheckedAddress, src: string): IconSource | undefined {
  const [, type, base64 = ''] = /^data:([a-z]+\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/iu.exec(src) ?? [];
  if (type !== undefined) {
    return isImageType(type) ? { kind: 'inline', bytes: Buffer.from(base64, 'base64') } : undefined;
  }
  const url = URL.parse(src);
  // A `blob:` URL has the origin of its creator.
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  // Same origin as the server, including the scheme.
  if (url.origin !== new URL(server).origin || url.username !== '' || url.password !== '') return undefined;
  return { kind: 'remote', url: atSameOrigin(server, url.pathname, url.search) };
}

/** The best side length of `["48x48", "96x96"]`. */
function readSide(sizes: unknown): number | undefined {
  if (!Array.isArray(sizes)) return undefined;
  const sides = sizes.slice(0, iconBounds.listed).flatMap((size) => {
    const [, width, height] = /^(\d{1,5})x(\d{1,5})$/iu.exec(String(size)) ?? [];
    return width === undefined || height === undefined ? [] : Math.max(Number(width), Number(height));
  });
  return sides.toSorted((left, right) => rankSide(left) - rankSide(right))[0];
}

const rankTheme = ({ theme }: IconCandidate, displayTheme: IconTheme): number =>
  theme === displayTheme ? 0 : theme === undefined ? 1 : 2;

const rankSize = ({ side }: IconCandidate): number => (side === undefined ? 5_000 : rankSide(side));

/** Prefers the smallest that is large enough, or else the largest. */
const rankSide = (side: number): number => (side >= displaySide ? side - displaySide : 10_000 - side);

/**
 * Limits for a server's icons: icons listed, icons tried per theme, characters of a URL (also `data:`), bytes, pixels
 * per side; milliseconds to fetch one, and until it is fetched again.
 */
export const iconBounds = {
  listed: 16,
  tries: 3,
  urlLength: 180_000,
  bytes: 131_072,
  side: 1_024,
  deadline: 10_000,
  refetchAfter: 7 * 86_400_000,
} as const;
