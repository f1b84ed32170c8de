import { parse, type AtRule, type Declaration } from 'postcss';

/** A declaration that is off the scale of `renderer/styles/tokens.css`, as `file:line property: value`. */
type Finding = string;

const lengths = /^(?:margin|padding|scroll-margin)(?:-|$)|^(?:row-|column-)?gap$/;
const radii = /^border(?:-\w+)*-radius$/;
const types = /^font(?:-size|-family)?$/;
const motions = /^(?:transition|animation)(?:-duration)?$/;

/** Colors that need no token: those of the system, and transparent ones. */
const plainColors = new Set(['transparent', 'currentcolor', 'none', 'inherit', 'initial', 'unset']);
const systemColors = new Set([
  'canvas',
  'canvastext',
  'highlight',
  'highlighttext',
  'buttonface',
  'buttontext',
  'graytext',
]);
const colorFunctions = /\b(?:oklch|oklab|lch|lab|rgba?|hsla?|hwb|color|light-dark)\(|#[\da-f]{3,8}\b/i;
const colorProperties =
  /^(?:color|background|background-color|fill|stroke|outline-color|accent-color|caret-color)$|^border(?:-\w+)*-color$/;

/** Numbers with a unit, which should be a step of the scale instead. */
const withUnit = /(?<![\w-])[+-]?(?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)/i;

const families = {
  lengths: /^--(?:s\d|stroke|control|pane-edge)$/,
  radii: /^--radius(?:-\w+)?$/,
  types: /^--(?:text-\w+|sans|mono)$/,
  motions: /^--(?:motion|turn|still)$/,
} as const;

/** Names of the tokens that a tokens file defines. */
export function tokensOf(css: string): ReadonlySet<string> {
  const names = new Set<string>();
  parse(css).walkDecls(/^--/, ({ prop }) => void names.add(prop));
  return names;
}

/** Everything in `css` that is off the scale, and every custom property that neither it nor `tokens` defines. */
export function offScale(css: string, file: string, tokens: ReadonlySet<string>): readonly Finding[] {
  const findings: Finding[] = [];
  const own = tokensOf(css);
  parse(css).walkDecls((declaration) => {
    const { prop, value, source } = declaration;
    const used = [...value.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name = '']) => name);
    if (used.some((name) => !tokens.has(name) && !own.has(name)) || !isOnScale(declaration, used))
      findings.push(`${file}:${source?.start?.line} ${prop}: ${value}`);
  });
  return findings;
}

function isOnScale(declaration: Declaration, used: readonly string[]): boolean {
  const { prop, value } = declaration;
  const family = familyOf(prop);
  if (family && used.some((name) => !families[family].test(name))) return false;
  if (prop.startsWith('font') && family && !isOfTokens(value)) return false;
  if (family && withUnit.test(value)) return false;
  if (family === 'motions' && !used.length && value !== 'none') return false;
  if (colorFunctions.test(value) || /var\([^)]*,/.test(value)) return false;
  return !colorProperties.test(prop) || hasPlainColors(declaration);
}

/** `inherit`, or a token for each value; a weight or a line height may be added. */
function isOfTokens(value: string): boolean {
  const rest = value.replace(/var\(--[\w-]+\)/g, '').replace(/\/\s*[\d.]+/g, '');
  return value === 'inherit' || !/[a-z]/i.test(rest);
}

function familyOf(prop: string): keyof typeof families | undefined {
  if (lengths.test(prop)) return 'lengths';
  if (radii.test(prop)) return 'radii';
  if (types.test(prop)) return 'types';
  return motions.test(prop) ? 'motions' : undefined;
}

/** Color names (`red`) are off the scale. System colors belong in forced-colors rules. */
function hasPlainColors(declaration: Declaration): boolean {
  const bare = declaration.value.replace(/(?:var|color-mix)\((?:[^()]|\([^()]*\))*\)/g, '').toLowerCase();
  const words = bare.match(/[a-z][a-z-]*/g) ?? [];
  return words.every(
    (word) =>
      plainColors.has(word) ||
      (systemColors.has(word) && isForced(declaration)) ||
      ['content-box', 'padding-box'].includes(word),
  );
}

function isForced({ parent }: Declaration): boolean {
  for (let node = parent; node && node.type !== 'root'; node = node.parent)
    if (node.type === 'atrule' && (node as AtRule).params.includes('forced-colors: active')) return true;
  return false;
}
