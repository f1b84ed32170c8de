import { describe, expect, it } from 'vitest';
import { parseModule } from '../../mutants/code-pattern.ts';
import { instrument } from '../../mutants/generated/instrument.ts';
import { mutantsOf } from '../../mutants/generated/operator.ts';

const source = `export function check(one: number, other?: string): boolean {
  if (one > 3 && other === undefined) throw new Error('too much');
  for (let at = 0; at < one; at += 1) if (other) continue;
  checkRest(one);
  if (one === 2) {
    note(one);
  } else throw new Error('no');
  return other === 'a';
}
`;

const piece = ({ start, end }: { start: number; end: number }): string => source.slice(start, end);

describe('the mutation operator', () => {
  it('finds guards, other throws, check calls, operands, equal results and boundaries', () => {
    const mutants = mutantsOf('main/net/check.ts', source);
    expect(mutants.map((mutant) => [mutant.kind, mutant.line, piece(mutant)])).toEqual([
      ['guard', 2, 'one > 3 && other === undefined'],
      ['operand', 2, 'one > 3'],
      ['operand', 2, 'other === undefined'],
      ['boundary', 2, 'one > 3'],
      ['guard', 3, 'other'],
      ['call', 4, 'checkRest(one);'],
      ['throw', 7, "throw new Error('no');"],
      ['equal', 8, "other === 'a'"],
    ]);
    expect(mutants.map(({ name }) => name)).toContain('main/net/check.ts:check:operand:2');
  });

  it('skips changes that no test can detect', () => {
    const text = `if (one === undefined || two === undefined) throw new PosternError('INTERNAL', { stage });
      try { go(); } catch (error) { if (!(error instanceof PosternError)) throw error; }
      const both = { ...(one !== undefined && { one }) };`;
    expect(mutantsOf('main/net/check.ts', text)).toEqual([]);
  });

  it('gives each mutant a unique name', () => {
    const names = mutantsOf('main/net/check.ts', source + source.replace('check(', 'again(')).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('inserts all mutants of a source, each guarded by its ID', () => {
    const mutants = mutantsOf('main/net/check.ts', source).map((mutant, id) => [id, mutant] as const);
    const text = instrument(source, mutants);
    expect(() => parseModule(text)).not.toThrow();
    expect(text).toContain(
      "if (($isActive(0)?false:(($isActive(1)?true:($compare(3,'>',((one )as never),(( 3)as never)))) && ",
    );
    expect(text).toContain("else {if(!$isActive(6))throw new Error('no');}");
  });
});
