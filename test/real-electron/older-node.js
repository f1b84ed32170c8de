// Polyfills of what Postern uses and Node 20 lacks. Plain JavaScript, because Electron runs it as is.

function add(owner, name, value) {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

add(Promise, 'withResolvers', function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
});
add(Promise, 'try', function attempt(run, ...values) {
  return new this((resolve) => resolve(run(...values)));
});
add(Array, 'fromAsync', async (items, change = (item) => item) => {
  const list = [];
  for await (const item of items) list.push(await change(item, list.length));
  return list;
});
add(RegExp, 'escape', (text) => text.replace(/[^\w\s]/gu, String.raw`\$&`));
add(URL, 'parse', (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null));

const setMethods = {
  union(other) {
    return new Set([...this, ...other.keys()]);
  },
  intersection(other) {
    return new Set([...this].filter((value) => other.has(value)));
  },
  difference(other) {
    return new Set([...this].filter((value) => !other.has(value)));
  },
  symmetricDifference(other) {
    return new Set([...this.difference(other), ...[...other.keys()].filter((value) => !this.has(value))]);
  },
  isSubsetOf(other) {
    return [...this].every((value) => other.has(value));
  },
  isSupersetOf(other) {
    return [...other.keys()].every((value) => this.has(value));
  },
  isDisjointFrom(other) {
    return ![...this].some((value) => other.has(value));
  },
};
for (const [name, method] of Object.entries(setMethods)) add(Set.prototype, name, method);

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const iteratorMethods = {
  *map(change) {
    let index = 0;
    for (const value of this) yield change(value, index++);
  },
  *filter(holds) {
    let index = 0;
    for (const value of this) if (holds(value, index++)) yield value;
  },
  *flatMap(change) {
    let index = 0;
    for (const value of this) yield* change(value, index++);
  },
  *take(count) {
    let left = count;
    if (left <= 0) return;
    for (const value of this) {
      yield value;
      left -= 1;
      if (left <= 0) return;
    }
  },
  *drop(count) {
    let left = count;
    for (const value of this) {
      if (left <= 0) yield value;
      left -= 1;
    }
  },
  toArray() {
    return [...this];
  },
  forEach(run) {
    for (const value of this) run(value);
  },
  some(holds) {
    for (const value of this) if (holds(value)) return true;
    return false;
  },
  every(holds) {
    for (const value of this) if (!holds(value)) return false;
    return true;
  },
  find(holds) {
    for (const value of this) if (holds(value)) return value;
    return undefined;
  },
  reduce(join, ...first) {
    return [...this].reduce(join, ...first);
  },
};
for (const [name, method] of Object.entries(iteratorMethods)) add(iteratorPrototype, name, method);
