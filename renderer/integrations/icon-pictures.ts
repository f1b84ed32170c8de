import { bytesOf } from '../parts/bytes-of.ts';
import { postern } from '../postern.ts';

/** Pixels a side of what is drawn: twice the largest tile, for fine screens. */
export const iconPixels = 80;
/** Pictures that are kept decoded, 25 kB each. */
const most = 300;

const pictures = new Map<string, ImageBitmap>();
const underWay = new Map<string, Promise<ImageBitmap | undefined>>();

/** The picture of that mark, where it has been decoded already: a row that scrolls into sight shows it at once. */
export function iconAtHand(mark: string): ImageBitmap | undefined {
  return pictures.get(mark);
}

/**
 * Asks main for a server's picture and decodes it here, in the sandbox, to pixels that can be drawn; `undefined` where
 * it cannot be. Each is asked for once. Never rejects.
 */
export function decodeIcon(id: string, mark: string): Promise<ImageBitmap | undefined> {
  const running = underWay.get(mark) ?? decode(id, mark);
  underWay.set(mark, running);
  return running;
}

async function decode(id: string, mark: string): Promise<ImageBitmap | undefined> {
  try {
    const answer = await postern.integration.icon({ id, mark });
    if (!answer.ok || answer.value.data === null) {
      underWay.delete(mark);
      return undefined;
    }
    const whole = await createImageBitmap(new Blob([bytesOf(answer.value.data)]));
    const scale = Math.min(1, iconPixels / Math.max(whole.width, whole.height));
    const size = {
      resizeWidth: Math.max(1, Math.round(whole.width * scale)),
      resizeHeight: Math.max(1, Math.round(whole.height * scale)),
      resizeQuality: 'high' as const,
    };
    const picture = await createImageBitmap(whole, size);
    whole.close();
    keep(mark, picture);
    return picture;
  } catch {
    // No picture after all. It is not asked for again.
    return undefined;
  }
}

function keep(mark: string, picture: ImageBitmap): void {
  pictures.set(mark, picture);
  const [oldest] = pictures.keys();
  if (pictures.size <= most || oldest === undefined) return;
  // Not closed: it may be drawn at this moment.
  pictures.delete(oldest);
  underWay.delete(oldest);
}
