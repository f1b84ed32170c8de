import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';

type IconTheme = 'light' | 'dark';

/** Where a picture of a server is: in the text itself, or at the server. */
export type IconSource =
  { readonly kind: 'inside'; readonly bytes: Buffer } | { readonly kind: 'at'; readonly url: CheckedAddress };

interface NamedIcon {
  readonly src: string;
  readonly source: IconSource;
  readonly theme?: string | undefined;
  /** Pixels of its longest named side; unknown, or of any size: `undefined`. */
  readonly side?: number | undefined;
}

/** SVG is a program, and decoders of rarer formats are less well tested. */
const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp']);
const isPictureType = (type: unknown): boolean => typeof type === 'string' && types.has(type.toLowerCase());
/** Pixels that it is drawn with at most. */
const wanted = 64;

/**
 * What a server names as its pictures (MCP 2025-11-25, `Implementation.icons`), as they came, the best first for each
 * theme. Left out is what lies at another origin than the server's, in another form than a picture's, or says that it
 * is no PNG, JPEG or WebP (MCP 2025-11-25, icons, security considerations).
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
  // A `blob:` has the origin of what is in it.
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  // Its own origin, scheme included: what it says comes no other way.
  if (url.origin !== new URL(server).origin || url.username !== '' || url.password !== '') return undefined;
  return { kind: 'at', url: atSameOrigin(server, url.pathname, url.search) };
}

/** Of `["48x48", "96x96"]`, the one that serves best. */
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

/** The smallest that is large enough, else the largest. */
const rankSide = (side: number): number => (side >= wanted ? side - wanted : 10_000 - side);

/**
 * Of a server's pictures: how many it may name, how many are tried for each theme, characters of one address or of one
 * that stands in the text, bytes, pixels a side; milliseconds for one, and until it is asked for again.
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
