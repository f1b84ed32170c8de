import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createValueCodec } from '../../../electron-stand-in/world/create-value-codec.ts';

const codec = createValueCodec();
/** Passes a value through the codec as JSON text. */
const cross = (value: unknown): unknown => codec.decode(JSON.parse(JSON.stringify(codec.encode(value))));

describe('createValueCodec', () => {
  test.prop([fc.jsonValue()])('carries every JSON value', (value) => {
    expect(cross(value)).toEqual(value);
  });

  it.each([
    undefined,
    Number.NaN,
    -0,
    Infinity,
    12345678901234567890n,
    new Date(0),
    [undefined, { a: undefined }],
    { when: new Date(1), list: [1n] },
  ])('carries %o, which JSON does not', (value) => expect(cross(value)).toEqual(value));

  it('carries a member called __proto__ as a member', () => {
    const value = JSON.parse('{"__proto__": {"x": 1}, "gone": null}') as object;
    const carried = cross({ value, none: undefined }) as { value: object };
    expect(Object.keys(carried.value)).toEqual(['__proto__', 'gone']);
    expect((carried.value as { x?: number }).x).toBeUndefined();
  });

  it("drops an object's class, as structured clone does", () => {
    class Held {
      kept = 1;
    }
    expect(cross(new Held())).toEqual({ kept: 1 });
    expect(cross(new Held())).not.toBeInstanceOf(Held);
  });

  it('carries the message and name of an error', () => {
    expect(cross(new TypeError('wrong'))).toMatchObject({ message: 'wrong', name: 'TypeError' });
  });

  it.each([[() => {}], [Symbol('x')]])('rejects %o, as structured clone does', (value) => {
    expect(() => codec.encode({ value })).toThrow('could not be cloned');
  });

  it.each([new Map(), new Uint8Array(2), new Set([1])])('reports that it does not carry %o', (value) => {
    expect(() => codec.encode({ value })).toThrow(/^not emulated: /);
  });
});
