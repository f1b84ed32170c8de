import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const trace = 'unit/main/integration/trace';

/** What keeps a server or a pasted file from taking all of the program's time, memory or terminal. */
export const removedLoadChecks: readonly Mutant[] = [
  removedCheck(
    'trace-reads-every-piece',
    [
      'integration/trace/traced-http.ts',
      'controller.enqueue(value);',
      'controller.enqueue(value); record.received(text);',
    ],
    ['unit', `${trace}/traced-http.test.ts`, 'looks at an event stream once'],
  ),
  removedCheck(
    'trace-hides-without-bound',
    ['integration/trace/trace-redactor.ts', 'this.#isFull = this.#hidden.size >= traceSecrets;', ''],
    ['unit', `${trace}/trace-redactor.test.ts`, 'searches for a bounded number'],
  ),
  removedCheck(
    'header-of-any-type',
    [
      'desktop/read-mcp-json.ts',
      "typeof value === 'string' || typeof value === 'number' ? String(value) : ''",
      'String(value)',
    ],
    ['unit', 'unit/main/desktop/read-mcp-json.test.ts', 'takes a header that is no text'],
  ),
  removedCheck(
    'control-characters-on-the-terminal',
    ['cli/text-sink.ts', 'stream.write(printable(text))', 'stream.write(text)'],
    ['unit', 'unit/main/cli/terminal-safety.test.ts', 'lets no control character through'],
    ['unit', 'unit/main/cli/text-sink.test.ts', 'writes out control and format characters'],
  ),
];
