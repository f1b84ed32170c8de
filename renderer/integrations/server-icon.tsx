import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { decodeIcon, iconAtHand, iconPixels } from './icon-pictures.ts';

interface ServerIconProps {
  readonly integration: Pick<IntegrationView, 'id' | 'name' | 'icons'>;
  readonly size: 'small' | 'large';
}

const inDark = matchMedia('(prefers-color-scheme: dark)');

/** The server's own picture, for light or dark; a drawn letter where it has none that can be shown, and until then. */
export function ServerIcon({ integration, size }: ServerIconProps) {
  const isDark = useSyncExternalStore(followTheme, () => inDark.matches);
  const mark = isDark ? integration.icons?.dark : integration.icons?.light;
  const picture = usePicture(integration.id, mark);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (!pen || !picture) return;
    const scale = iconPixels / Math.max(picture.width, picture.height);
    const [wide, high] = [picture.width * scale, picture.height * scale];
    pen.clearRect(0, 0, iconPixels, iconPixels);
    pen.drawImage(picture, (iconPixels - wide) / 2, (iconPixels - high) / 2, wide, high);
  }, [picture]);
  if (!picture) return <ServiceIcon name={integration.name} size={size} />;
  return (
    <span className={`service-icon picture-of-server ${size}`} aria-hidden="true">
      <canvas ref={canvas} width={iconPixels} height={iconPixels} />
    </span>
  );
}

function usePicture(id: string, mark: string | undefined): ImageBitmap | undefined {
  const [decoded, setDecoded] = useState<{ readonly mark: string; readonly picture: ImageBitmap }>();
  const atHand = mark === undefined ? undefined : iconAtHand(mark);
  useEffect(() => {
    if (mark === undefined || atHand) return;
    let isGone = false;
    void decodeIcon(id, mark).then((picture) => {
      if (picture && !isGone) setDecoded({ mark, picture });
    });
    return () => {
      isGone = true;
    };
  }, [id, mark, atHand]);
  return atHand ?? (decoded?.mark === mark ? decoded?.picture : undefined);
}

function followTheme(onChange: () => void): () => void {
  inDark.addEventListener('change', onChange);
  return () => inDark.removeEventListener('change', onChange);
}
