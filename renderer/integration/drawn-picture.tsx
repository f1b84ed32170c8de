import { useEffect, useRef, useState } from 'react';
import { bytesOf } from '../parts/bytes-of.ts';
import { words } from '../words.ts';

interface DrawnPictureProps {
  /** Base64; main has looked at its type and its size. */
  readonly data: string;
  readonly label: string;
}

/**
 * A picture of a server. It is decoded here, in the sandbox, and drawn: our policy lets no page load a picture from
 * anywhere but the program, `data:` included, and that stays so.
 */
export function DrawnPicture({ data, label }: DrawnPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    const draw = async (): Promise<void> => {
      const picture = await createImageBitmap(new Blob([bytesOf(data)]));
      const { current } = canvas;
      if (!isGone && current) {
        current.width = picture.width;
        current.height = picture.height;
        current.getContext('2d')?.drawImage(picture, 0, 0);
      }
      picture.close();
    };
    draw().catch(() => !isGone && setIsBroken(true));
    return () => {
      isGone = true;
    };
  }, [data]);
  if (isBroken) return <p className="soft">{words.tools.broken(label)}</p>;
  return <canvas ref={canvas} className="picture" role="img" aria-label={label} />;
}
