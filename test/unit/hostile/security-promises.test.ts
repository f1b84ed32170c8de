import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promiseOf } from '../../../scripts/cli-docs/threat-model.ts';
import { catalog } from '../../hostile/catalog.ts';
import { promises } from '../../hostile/promises.ts';

const root = join(import.meta.dirname, '../../..');

describe('the promises in SECURITY.md', () => {
  it('match the threat model, each linked to its tests', () => {
    const linked = readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(
      /^- \[([^\]]+)\]\(docs\/threat-model\.md#/gmu,
    );
    expect([...linked].map(([, heading]) => heading)).toEqual(promises.map(({ heading }) => heading));
  });

  it.each(promises)('$heading: has a test for each claim', ({ details }) => {
    for (const { proofs } of details) {
      expect(proofs).not.toEqual([]);
      expect(proofs.filter((proof) => !existsSync(join(root, proof)))).toEqual([]);
    }
  });

  it('cover every hostile case', () => {
    expect(Object.keys(catalog).filter((id) => promiseOf(id) === undefined)).toEqual([]);
    const named = promises.flatMap(({ cases }) => cases);
    expect(named.filter((name) => !Object.keys(catalog).some((id) => id.startsWith(name)))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });
});
