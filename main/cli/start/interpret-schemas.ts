import { config } from 'zod/mini';

/**
 * Loaded before the first schema is made. A command reads each kind of document once or twice: compiling a parser for
 * it, as zod does by default for a program that stays, costs more than it saves. What it reads came as JSON, which has
 * no cycles, so that no schema has to look for them in itself and in every value.
 */
config({
  jitless: true,
  memoizer: { alloc: (_schema, _payload, empty) => empty, attach: () => {}, guard: () => {} },
});
