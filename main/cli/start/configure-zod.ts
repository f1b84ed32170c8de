import { config } from 'zod/mini';

/**
 * Import before the first schema is created. A command parses each kind of document once or twice, so compiling parsers
 * (zod's default) costs more than it saves. All input is JSON, which has no cycles, so cycle detection is off.
 */
config({
  jitless: true,
  memoizer: { alloc: (_schema, _payload, empty) => empty, attach: () => {}, guard: () => {} },
});
