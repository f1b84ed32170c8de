import { useEffect } from 'react';
import { create } from 'zustand';
import type * as brands from '../../shared/known-servers/brands.ts';
import type { Brand } from '../../shared/known-servers/brands.ts';
import { postern } from '../postern.ts';
import { initialsOf, tintOf } from './initials.ts';
import { PictureTile, usePicture } from './picture-tile.tsx';
import './service-icon.css';

/** What a tile shows: a service, as named in the catalog, or an AI app by its ID. */
type BrandKey = { readonly service: string | undefined } | { readonly app: string };

interface ServiceIconProps {
  /** Without a brand, determines the letters and the color. */
  readonly name: string;
  readonly brand?: BrandKey;
  readonly size?: 'small' | 'medium' | 'large';
}

/**
 * A tile with the icon that the system has for the app, or the brand's drawing, or else initials, always in the same
 * color. Decorative: the name is next to it.
 */
export function ServiceIcon({ name, brand: key, size = 'medium' }: ServiceIconProps) {
  const app = key && 'app' in key ? key.app : undefined;
  // The prefix keeps its key apart from the marks of servers' icons.
  const picture = usePicture(app && `app:${app}`, () => postern.app.icon({ app: app ?? '' }));
  const brand = useBrand(key);
  if (picture) return <PictureTile picture={picture} size={size} />;
  if (brand === undefined) {
    return (
      <span className={`service-icon ${size} tint-${tintOf(name)}`} aria-hidden="true">
        <span>{initialsOf(name)}</span>
      </span>
    );
  }
  return (
    <span className={`service-icon brand ${size}`} aria-hidden="true">
      <svg viewBox="-9 -9 42 42">
        <rect x="-9" y="-9" width="42" height="42" fill={`#${brand.hex}`} />
        <path d={brand.path} fill={isLight(brand.hex) ? '#000' : '#fff'} />
      </svg>
    </span>
  );
}

const useLoaded = create<{ readonly brands?: typeof brands }>()(() => ({}));

/** The drawing, once all of them are loaded, which is not with the window. */
function useBrand(key: BrandKey | undefined): Brand | undefined {
  const { brands: loaded } = useLoaded();
  const isNeeded = key !== undefined && loaded === undefined;
  useEffect(() => {
    if (isNeeded)
      void import('../../shared/known-servers/brands.ts').then((module) => useLoaded.setState({ brands: module }));
  }, [isNeeded]);
  if (key === undefined || loaded === undefined) return undefined;
  const [table, name] = 'app' in key ? [loaded.appBrands, key.app] : [loaded.serviceBrands, key.service];
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** True if black is easier to see on this color than white: its relative luminance (WCAG 2.2) is above 0.4. */
function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4;
}
