import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const bound = 'unit/main/mcp/http/bounded-transport.test.ts';
const trace = 'unit/main/engine/trace';

/** What keeps a server or a pasted file from taking all of the program's time, memory or terminal. */
export const removedLoadChecks: readonly Mutant[] = [
  removedCheck(
    'trace-reads-every-piece',
    ['traceHttp', 'if ($done) { $record.received($text); $close; }', '$record.received($text); if ($done) $close;'],
    ['unit', `${trace}/traced-http.test.ts`, 'looks at an event stream once'],
  ),
  removedCheck(
    'trace-hides-without-bound',
    ['TraceRedactor', 'this.$isFull = this.$hidden.size >= traceSecrets;', ''],
    ['unit', `${trace}/trace-redactor.test.ts`, 'searches for a bounded number'],
  ),
  removedCheck(
    'header-of-any-type',
    ['readEntry', "textsOf($text)[0] ?? ''", 'String($text)'],
    ['unit', 'unit/main/apps/import/read-mcp-json.test.ts', 'takes a header that is no text'],
  ),
  removedCheck(
    'control-characters-on-the-terminal',
    ['TextSink', '$stream.write(printable($text))', '$stream.write($text)'],
    ['unit', 'unit/main/cli/start/terminal-safety.test.ts', 'lets no control character through'],
    ['unit', 'unit/main/cli/terminal/terminal-output.test.ts', 'writes out control and format characters'],
  ),
  removedCheck(
    'typography-where-nobody-can-read-it',
    ['isAsciiLocale', "$env['LC_ALL'] || $env['LC_CTYPE'] || $env['LANG']", "$env['LANG']"],
    ['unit', 'unit/main/cli/text.test.ts', 'goes by the first variable that is set'],
  ),
  removedCheck(
    'cuts-what-is-copied',
    ['fitColumns', '$widths.slice(0, -1).reduce', '$widths.reduce'],
    ['unit', 'unit/main/cli/text.test.ts', 'leaves what is too narrow for any cell'],
  ),
  removedCheck(
    'length-of-standard-input',
    ['StdinLines', '$state.rest.length + $state.waitingLength + $text.length > stdinLength', '$text.length < 0'],
    ['unit', 'unit/main/cli/terminal/terminal-input.test.ts', 'ends with USAGE'],
  ),
  removedCheck(
    'values-of-a-message',
    ['readMessages', '$nodes > mcpMessage.nodes', '$nodes < 0'],
    ['unit', 'unit/main/mcp/messages/read-messages.test.ts', 'parses no answer with too many values'],
  ),
  removedCheck(
    'parses-what-nobody-waits-for',
    ['readMessages', 'if (!$hasMethod && $asked !== undefined && !$isForSomebody) return [];', ''],
    ['unit', 'unit/main/mcp/messages/read-messages.test.ts', 'parses nothing that nobody waits for'],
  ),
  removedCheck(
    'bytes-of-a-stream',
    ['limitMessages', '$total > $limits.stream', '$total < 0'],
    ['unit', 'unit/main/net/http/limit-messages.test.ts', 'bounds all of a stream as well'],
  ),
  removedCheck(
    'entries-of-a-listing',
    ['MessageBound', 'if ($room.entries <= 0) break;', ''],
    ['unit', bound, 'takes several thousand tools'],
  ),
  removedCheck(
    'characters-of-a-listing',
    ['MessageBound', '$size > $room.size', '$size < 0'],
    ['unit', bound, 'bounds entries and characters over all pages'],
  ),
  removedCheck(
    'depth-of-an-entry',
    ['MessageBound', 'if ($isTooDeep) continue;', ''],
    ['unit', bound, 'leaves out a tool that is nested too deeply'],
  ),
  removedCheck(
    'depth-of-a-message',
    ['MessageBound', 'if (!measureJson($message, mcpDepth).isTooDeep) return $taken;', 'if ($message) return $taken;'],
    ['unit', bound, 'refuses an answer that is nested too deeply'],
  ),
  removedCheck(
    'indents-everything',
    ['describePieces', 'if (measureJson(JSON.parse($text), $indented.depth).isTooDeep) return $shown;', ''],
    ['unit', 'unit/main/cli/output/describe-result.test.ts', 'never makes an answer many times as long'],
  ),
  removedCheck(
    'ended-before-written',
    ['Output', 'if ($ended) return; $write();', 'if ($ended) return; $ended = true; $write();'],
    ['unit', 'unit/main/cli/output/output.test.ts', 'still has a last line'],
  ),
  removedCheck(
    'signals-of-a-command',
    ['exec', 'interruption.passTo($taker);', ''],
    ['contract', 'contract/token-for-others.test.ts', 'gives each signal to the command'],
  ),
];
