import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';

type IconTheme = 'light' | 'dark';

/** Where an icon is: inline (a `data:` URL), or at the server. */
export type IconSource =
  { readonly kind: 'inside'; readonly bytes: Buffer } | { readonly kind: 'at'; readonly url: CheckedAddress };

interface NamedIcon {
  readonly src: string;
  readonly source: IconSource;
  readonly theme?: string | undefined;
  /** Pixels of the longer side; `undefined` if unknown or scalable. */
  readonly side?: number | undefined;
}

/** No SVG, which can contain scripts; decoders of rarer formats are less well tested. */
const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp']);
const isPictureType = (type: unknown): boolean => typeof type === 'string' && types.has(type.toLowerCase());
/** Largest display size in pixels. */
const displaySide = 64;

/**
 * A server's icons (MCP 2025-11-25, `Implementation.icons`), best first for each theme. Excluded: icons at another
 * origin, of another form, or declared as anything but PNG, JPEG or WebP (MCP 2025-11-25, icons, security
 * considerations).
 */
export function chooseIcons(
  server: CheckedAddress,
  icons: unknown,
): Readonly<Record<IconTheme, readonly IconSource[]>> {
  const named = Array.isArray(icons)
    ? icons.slice(0, iconBounds.named).flatMap((each) => readNamed(server, each) ?? [])
    : [];
  const best = (theme: IconTheme): readonly IconSource[] =>
    named
      .toSorted((one, other) => rankTheme(one, theme) - rankTheme(other, theme) || rankSize(one) - rankSize(other))
      .slice(0, iconBounds.tries)
      .map(({ source }) => source);
  return { light: best('light'), dark: best('dark') };
}

function readNamed(server: CheckedAddress, value: unknown): NamedIcon | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { src, mimeType, sizes, theme } = value as Readonly<Record<string, unknown>>;
  if (typeof src !== 'string' || src.length > iconBounds.text) return undefined;
  if (mimeType !== undefined && !isPictureType(mimeType)) return undefined;
  const source = readSource(server, src);
  return source && { src, source, theme: typeof theme === 'string' ? theme : undefined, side: readSide(sizes) };
}

function readSource(server: CheckedAddress, src: string): IconSource | undefined {
  const [, type, base64 = ''] = /^data:([a-z]+\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/iu.exec(src) ?? [];
  if (type !== undefined) {
    return isPictureType(type) ? { kind: 'inside', bytes: Buffer.from(base64, 'base64') } : undefined;
  }
  const url = URL.parse(src);
  // A `blob:` URL has the origin of its creator.
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  // Same origin as the server, including the scheme.
  if (url.origin !== new URL(server).origin || url.username !== '' || url.password !== '') return undefined;
  return { kind: 'at', url: atSameOrigin(server, url.pathname, url.search) };
}

/** The best side length of `["48x48", "96x96"]`. */
function readSide(sizes: unknown): number | undefined {
  if (!Array.isArray(sizes)) return undefined;
  const sides = sizes.slice(0, iconBounds.named).flatMap((size) => {
    const [, wide, high] = /^(\d{1,5})x(\d{1,5})$/iu.exec(String(size)) ?? [];
    return wide === undefined || high === undefined ? [] : Math.max(Number(wide), Number(high));
  });
  return sides.toSorted((one, other) => rankSide(one) - rankSide(other))[0];
}

const rankTheme = ({ theme }: NamedIcon, wantedTheme: IconTheme): number =>
  theme === wantedTheme ? 0 : theme === undefined ? 1 : 2;

const rankSize = ({ side }: NamedIcon): number => (side === undefined ? 5_000 : rankSide(side));

/** Prefers the smallest that is large enough, or else the largest. */
const rankSide = (side: number): number => (side >= displaySide ? side - displaySide : 10_000 - side);

/**
 * Limits for a server's icons: icons listed, icons tried per theme, characters of a URL (also `data:`), bytes, pixels
 * per side; milliseconds to fetch one, and until it is fetched again.
 */
export const iconBounds = {
  named: 16,
  tries: 3,
  text: 180_000,
  bytes: 131_072,
  side: 1_024,
  deadline: 10_000,
  fresh: 7 * 86_400_000,
} as const;
