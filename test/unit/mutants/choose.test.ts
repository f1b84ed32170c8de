import { describe, expect, it } from 'vitest';
import { acceptedSurvivors } from '../../mutants/accepted-survivors.ts';
import { chooseMutants } from '../../mutants/generated/choose.ts';
import { generateMutants, mutatedFolders } from '../../mutants/generated/operator.ts';

const all = { only: [], sample: undefined, isChanged: false, part: 1, parts: 1 };
const namesOf = (choice: Partial<typeof all> | { sample: number } | { only: string[] }): string[] =>
  chooseMutants({ ...all, ...choice }).map(({ name }) => name);

describe('the selection of generated mutants', () => {
  it('contains each mutant once, including every accepted survivor', () => {
    const names = generateMutants().map(({ name }) => name);
    const known = new Set(names);
    expect(known.size).toBe(names.length);
    expect([...acceptedSurvivors.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  it('samples every folder, with the same result each time', () => {
    const names = namesOf({ sample: 70 });
    expect(namesOf({ sample: 70 })).toEqual(names);
    expect(names.length).toBeGreaterThanOrEqual(70);
    for (const folder of mutatedFolders) {
      expect(names.filter((name) => name.startsWith(`main/${folder}/`)).length).toBeGreaterThanOrEqual(5);
    }
  });

  it('leaves none out when split into parts', () => {
    const only = ['main/address'];
    const parts = [1, 2, 3].flatMap((part) => namesOf({ only, part, parts: 3 }));
    expect(parts.toSorted()).toEqual(namesOf({ only }).toSorted());
  });
});
