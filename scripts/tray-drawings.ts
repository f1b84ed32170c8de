/** The tray icon: Postern's mark with a status dot, whose shape shows the state where color does not. */
export function trayDrawings(mark: string): Record<'color' | 'template', Record<'fine' | 'needs', string>> {
  const withDot = (drawing: string, dotOfState: string): string => drawing.replace('</svg>', `${dotOfState}</svg>`);
  return {
    color: {
      fine: withDot(mark, dot({ radius: 130, ring: '#ffffff', fill: '#2fa36b' })),
      needs: withDot(mark, `${dot({ radius: 220, ring: '#ffffff', fill: '#f0a020' })}${sign('#3a2300')}`),
    },
    template: { fine: silhouette(''), needs: silhouette(dot({ radius: 200, ring: 'black', fill: 'black' })) },
  };
}

const center = { x: 716, y: 716 };

function dot({ radius, ring, fill }: { radius: number; ring: string; fill: string }): string {
  const circle = `cx="${center.x}" cy="${center.y}"`;
  return `<circle ${circle} r="${radius}" fill="${ring}"/><circle ${circle} r="${radius - 36}" fill="${fill}"/>`;
}

function sign(color: string): string {
  return `<rect x="690" y="586" width="52" height="160" rx="26" fill="${color}"/><circle cx="716" cy="812" r="34" fill="${color}"/>`;
}

/** macOS only uses the shape: a wall with an open gate, and a gap around the dot. */
function silhouette(dotOfState: string): string {
  const gap = dotOfState === '' ? '' : `<circle cx="${center.x}" cy="${center.y}" r="270" fill="black"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024"><mask id="gap"><rect width="1024" height="1024" fill="white"/>
    <path d="M318 846 V456 A194 194 0 0 1 706 456 V846 Z" fill="black"/>${gap}</mask>
    <rect x="100" y="100" width="824" height="824" rx="186" mask="url(#gap)"/>${dotOfState}</svg>`;
}
