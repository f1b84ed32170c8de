import { useEffect, useRef, useState } from 'react';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import './service-icon.css';

interface PictureTileProps {
  readonly picture: ImageBitmap;
  readonly size: 'small' | 'medium' | 'large';
}

/** A tile with a picture that came from outside Postern. Decorative: the name is next to it. */
export function PictureTile({ picture, size }: PictureTileProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const scale = picturePixels / Math.max(picture.width, picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    context.clearRect(0, 0, picturePixels, picturePixels);
    context.drawImage(picture, (picturePixels - wide) / 2, (picturePixels - high) / 2, wide, high);
  }, [picture]);
  return (
    <span className={`service-icon picture-tile ${size}`} aria-hidden="true">
      <canvas ref={canvas} width={picturePixels} height={picturePixels} />
    </span>
  );
}

type Request = () => Promise<IpcResult<{ readonly data: string | null }>>;

/**
 * The picture that main returns in base64, once it is decoded; `undefined` until then, or if there is none. Requested
 * once per key, and again if it was missing when it was last shown. Without a key, nothing is requested.
 */
export function usePicture(key: string | undefined, request: Request): ImageBitmap | undefined {
  const [decoded, setDecoded] = useState<{ readonly key: string; readonly picture: ImageBitmap }>();
  const latest = useRef(request);
  useEffect(() => {
    latest.current = request;
  });
  // One decoded earlier, so that a row scrolling into view shows it at once.
  const cached = key === undefined ? undefined : decodedPictures.get(key);
  useEffect(() => {
    if (key === undefined || cached) return;
    let isGone = false;
    void decodeOnce(key, latest.current).then((picture) => {
      if (picture && !isGone) setDecoded({ key, picture });
    });
    return () => {
      isGone = true;
    };
  }, [key, cached]);
  return cached ?? (decoded?.key === key ? decoded?.picture : undefined);
}

/** Side of the canvas in pixels: twice the largest tile, for high-DPI screens. */
const picturePixels = 80;
/** Decoded pictures to cache, 25 kB each. */
const maxPictures = 300;

const decodedPictures = new Map<string, ImageBitmap>();
const inFlight = new Map<string, Promise<ImageBitmap | undefined>>();

/** Decodes here, in the sandbox; `undefined` if that fails. Never rejects. */
function decodeOnce(key: string, request: Request): Promise<ImageBitmap | undefined> {
  const running = inFlight.get(key) ?? decode(key, request);
  inFlight.set(key, running);
  return running;
}

async function decode(key: string, request: Request): Promise<ImageBitmap | undefined> {
  try {
    const result = await request();
    if (!result.ok || result.value.data === null) {
      inFlight.delete(key);
      return undefined;
    }
    const whole = await createImageBitmap(new Blob([bytesOf(result.value.data)]));
    const scale = Math.min(1, picturePixels / Math.max(whole.width, whole.height));
    const size = {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: 'high' as const,
    };
    const picture = await createImageBitmap(whole, size);
    whole.close();
    cachePicture(key, picture);
    return picture;
  } catch {
    // Not a valid image. Do not request it again.
    return undefined;
  }
}

function cachePicture(key: string, picture: ImageBitmap): void {
  decodedPictures.set(key, picture);
  const [oldest] = decodedPictures.keys();
  if (decodedPictures.size <= maxPictures || oldest === undefined) return;
  // Not closed: it may be on screen.
  decodedPictures.delete(oldest);
  inFlight.delete(oldest);
}

/** Decodes base64. Throws what `atob` throws. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
