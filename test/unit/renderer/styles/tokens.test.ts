import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { offScale, tokensOf } from './off-scale.ts';

const renderer = path.join(import.meta.dirname, '../../../../renderer');
const tokensFile = 'styles/tokens.css';
const read = (file: string): string => readFileSync(path.join(renderer, file), 'utf8');
const tokens = tokensOf(read(tokensFile));

test('every size, space, radius, color and motion in the window comes from the tokens', () => {
  const files = globSync('**/*.css', { cwd: renderer }).filter((file) => file !== tokensFile);
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((file) => offScale(read(file), file, tokens))).toEqual([]);
});

test("the tokens match the design's scale, and nothing moves with reduced motion", () => {
  const values = valuesOf(read(tokensFile));
  const pixels = (prefix: RegExp): readonly number[] =>
    [...values].filter(([name]) => prefix.test(name)).map(([, [value = '']]) => 16 * Number.parseFloat(value));
  expect(pixels(/^--text-/)).toEqual([12, 13, 15, 20, 28]);
  expect(pixels(/^--s[1-9]$/)).toEqual([4, 8, 12, 16, 24, 32]);
  expect(pixels(/^--column$/)).toEqual([720]);
  const [moving = '', reduced] = values.get('--motion') ?? [];
  expect(Number.parseInt(moving, 10)).toBeLessThan(150);
  expect(reduced).toBe('0ms');
});

describe('off-scale values are found', () => {
  for (const broken of [
    'font-size: 14px',
    'font-size: 1.1em',
    'font: 0.8rem / 1.5 var(--sans)',
    'font: var(--text-m) Arial',
    'font-family: Arial, sans-serif',
    'margin: 0 10px',
    'margin-inline-start: calc(-1 * 5px)',
    'padding: var(--s2) .3125rem',
    'padding: var(--text-m)',
    'row-gap: 5%',
    'border-radius: 6px',
    'border-start-start-radius: 50%',
    'color: #fff',
    'color: red',
    'background: var(--ground, white)',
    'background: color-mix(in oklch, oklch(1 0 0) 95%, transparent)',
    'border: 1px solid rgb(0 0 0 / 0.5)',
    'color: CanvasText',
    'transition: opacity 0.3s',
    'animation: turn 1s linear infinite',
    'color: var(--unknown)',
  ])
    test(broken, () => {
      expect(offScale(`.part {\n  ${broken};\n}`, 'part.css', tokens)).toEqual([`part.css:2 ${broken}`]);
    });
});

test('on-scale values are accepted', () => {
  const sound = `.part {
    --own: 3px;
    width: var(--own);
    margin: 0 auto calc(-1 * var(--s2));
    padding: var(--s1) max(var(--s2), var(--pane-edge));
    border: var(--stroke) solid transparent;
    border-radius: var(--radius) 0 0 inherit;
    background: color-mix(in oklch, var(--surface) 95%, transparent);
    font: var(--text-m) / 1.5 var(--sans);
    transition: rotate var(--motion);
  }
  @media (forced-colors: active) { .part { color: CanvasText } }`;
  expect(offScale(sound, 'part.css', tokens)).toEqual([]);
});

/** The values of each custom property, in file order. */
function valuesOf(css: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of css.matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm))
    values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}
