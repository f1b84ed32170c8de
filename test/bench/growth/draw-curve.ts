import type { Curve } from './measure-line.ts';

/** Pixels. */
const width = 760;
const height = 360;
const frame = { left: 64, right: 220, top: 40, bottom: 44 };
/** Distinct in both themes, and to most color-blind readers (Okabe and Ito). */
const colors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b58900', '#56b4e9', '#7a5195', '#8c564b'];

const style = `text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-size: 15px; font-weight: 600 }
.grid { stroke: #8884; fill: none } polyline { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ccc } }`;

/** The curve as SVG, both axes logarithmic: a linear cost is a diagonal, a constant one is level. */
export function drawCurve({ title, counted, unit, lines }: Curve): string {
  const points = lines.flatMap((line) => line.points).filter(({ value }) => value > 0);
  const x = scaleOf(
    points.map(({ size }) => size),
    [frame.left, width - frame.right],
  );
  const y = scaleOf(
    points.map(({ value }) => value),
    [height - frame.bottom, frame.top],
  );
  const grid = [
    ...x.ticks.map((tick) => {
      const at = x.place(tick).toFixed(1);
      return `<path class="grid" d="M${at} ${frame.top}V${height - frame.bottom}"/><text x="${at}" y="${height - frame.bottom + 18}" text-anchor="middle">${numeral(tick)}</text>`;
    }),
    ...y.ticks.map((tick) => {
      const at = y.place(tick).toFixed(1);
      return `<path class="grid" d="M${frame.left} ${at}H${width - frame.right}"/><text x="${frame.left - 8}" y="${at}" dy="4" text-anchor="end">${numeral(tick)}</text>`;
    }),
  ];
  const drawn = lines.flatMap((line, index) => {
    const color = colors[index % colors.length];
    const placed = line.points
      .filter(({ value }) => value > 0)
      .map(({ size, value }) => `${x.place(size).toFixed(1)},${y.place(value).toFixed(1)}`);
    const label = frame.top + 16 + index * 20;
    return [
      `<polyline points="${placed.join(' ')}" stroke="${color}"/>`,
      ...placed.map(
        (place) => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="3" fill="${color}"/>`,
      ),
      `<path d="M${width - frame.right + 16} ${label - 4}h16" stroke="${color}" stroke-width="2"/><text x="${width - frame.right + 38}" y="${label}">${escape(line.name)}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="${frame.left}" y="22">${escape(title)} (${unit})</text>`,
    ...grid,
    ...drawn,
    `<text x="${(frame.left + width - frame.right) / 2}" y="${height - 8}" text-anchor="middle">${escape(counted)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

interface Scale {
  readonly place: (value: number) => number;
  /** Powers of ten. */
  readonly ticks: readonly number[];
}

function scaleOf(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const exponents = values.length === 0 ? [0, 1] : values.map((value) => Math.log10(value));
  const least = Math.floor(Math.min(...exponents));
  const most = Math.max(least + 1, Math.ceil(Math.max(...exponents)));
  return {
    place: (value) => from + ((Math.log10(value) - least) / (most - least)) * (to - from),
    ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)),
  };
}

export function numeral(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
