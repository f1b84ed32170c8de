import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyRemovedCheck } from '../mutants/every-removed-check.ts';
import { mutateSource } from '../mutants/mutant.ts';
import { mutants } from '../mutants/mutants.ts';

const root = path.join(import.meta.dirname, '../..');

describe('a deliberate defect', () => {
  it.each([...mutants, ...everyRemovedCheck].map((mutant) => [mutant.name, mutant] as const))(
    'still is one: %s',
    (_, mutant) => {
      for (const file of new Set(mutant.edits.map((edit) => path.join(root, edit.file)))) {
        const source = readFileSync(file, 'utf8');
        expect(mutateSource(mutant, file, source)).not.toBe(source);
      }
    },
  );
});
