/** References from one world to functions and promises of another. Without them, only values cross, as in IPC. */
export interface CodecReferences {
  readonly register: (value: object, kind: 'function' | 'promise') => number;
  readonly resolve: (id: number, kind: 'function' | 'promise') => unknown;
}

export interface ValueCodec {
  encode(value: unknown): unknown;
  decode(encoded: unknown): unknown;
}

/**
 * Converts values to JSON and back, in Node and in both worlds of a page. Like everything in this folder, it is also
 * injected as source text, so it uses nothing from outside. Values that structured clone supports but this does
 * not (Map, typed arrays, …) throw, so that nothing is lost silently.
 */
export function createValueCodec(references?: CodecReferences): ValueCodec {
  function isJson(value: unknown): boolean {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    if (typeof value !== 'object') return false;
    if (Array.isArray(value)) return value.every(isJson);
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
    return typeof (value as { toJSON?: unknown }).toJSON !== 'function' && Object.values(value).every(isJson);
  }
  function encode(value: unknown): unknown {
    if (isJson(value)) return { j: value };
    if (value === undefined) return { u: 1 };
    if (typeof value === 'number') return { n: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'bigint') return { b: String(value) };
    if (typeof value === 'function') {
      if (references) return { f: references.register(value, 'function') };
      throw new Error('An object could not be cloned.');
    }
    if (typeof value === 'symbol') throw new Error('An object could not be cloned.');
    if (Array.isArray(value)) return { a: value.map(encode) };
    if (value instanceof Date) return { d: value.getTime() };
    if (value instanceof Error) return { e: [value.name, value.message, value.stack] };
    if (references && typeof (value as PromiseLike<unknown>).then === 'function')
      return { p: references.register(value as object, 'promise') };
    const tag = Object.prototype.toString.call(value);
    if (tag !== '[object Object]') throw new Error(`not emulated: ${tag.slice(8, -1)} between worlds`);
    return { o: Object.entries(value as object).map(([key, part]) => [key, encode(part)]) };
  }
  function decode(encoded: unknown): unknown {
    // oxlint-disable-next-line typescript/no-explicit-any -- exactly one of the forms that encode() makes
    const form = encoded as Record<string, any>;
    if ('j' in form) return form['j'];
    if ('u' in form) return undefined;
    if ('n' in form) return Number(form['n']);
    if ('b' in form) return BigInt(form['b'] as string);
    if ('d' in form) return new Date(form['d'] as number);
    if ('a' in form) return (form['a'] as unknown[]).map(decode);
    if ('f' in form) return references?.resolve(form['f'] as number, 'function');
    if ('p' in form) return references?.resolve(form['p'] as number, 'promise');
    if ('e' in form) {
      const [name, message, stack] = form['e'] as [string, string, string];
      return Object.defineProperties(new Error(message), {
        name: { value: name, configurable: true, writable: true },
        stack: { value: stack, configurable: true, writable: true },
      });
    }
    const entries = form['o'] as [string, unknown][];
    return Object.fromEntries(entries.map(([key, part]) => [key, decode(part)]));
  }
  return { encode, decode };
}
