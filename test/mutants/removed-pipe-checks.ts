import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What the pipe for Node looks at. */
export const removedPipeChecks: readonly Mutant[] = [
  removedCheck(
    'socket-in-an-open-folder',
    ['gatewayPlaces', '($stats.mode & 0o077) === 0', 'true'],
    ['contract', 'contract/pipe/lines.test.ts', 'GW-60'],
  ),
  removedCheck(
    'half-message-to-the-program',
    ['Session', "if ($reader.isWithinLong) $write('\\n');", ''],
    ['contract', 'contract/pipe/restart.test.ts', 'gives the program no half message'],
  ),
  removedCheck(
    'first-of-two-ids',
    [
      'EnvelopeScanner',
      "if ($name === 'id') $id = $key = undefined;",
      "if ($id !== undefined && $name === 'id') $name = '';",
    ],
    ['contract', 'contract/pipe/restart.test.ts', 'GW-62'],
  ),
  removedCheck(
    'answer-to-a-gateway-that-is-gone',
    ['Session', 'if ($line.envelope.isAnswer && !$asked) return;', ''],
    ['contract', 'contract/pipe/restart.test.ts', 'GW-63'],
  ),
  removedCheck(
    'request-to-a-gateway-that-never-reads',
    [
      'Session',
      'const $reader = new LineReader($options); return { read: $read, end: $end };',
      'const $reader = new LineReader($options); begin(); return { read: $read, end: $end };',
    ],
    ['contract', 'contract/pipe/restart.test.ts', 'has not said that it is there'],
  ),
  removedCheck(
    'wait-for-a-cancelled-request',
    ['Session', 'if (!isOf($cancellation, $id)) continue;', 'continue;'],
    ['contract', 'contract/pipe/restart.test.ts', 'that the program has cancelled'],
  ),
  removedCheck(
    'secrets-of-a-program-for-postern',
    ['serviceEnvironment', 'Object.entries($env).filter($$rest)', 'Object.entries($env)'],
    ['contract', 'contract/pipe/start.test.ts', 'GW-64'],
  ),
  removedCheck(
    'message-held-as-a-whole',
    ['LineReader', '$held + $piece.length <= $sink.limit()', 'true'],
    ['contract', 'contract/pipe/lines.test.ts', 'grows by none of them'],
  ),
  removedCheck(
    'word-within-a-message',
    [
      'Session',
      '$id === undefined && $method === undefined && $line.length === $word.length && $line.toString() === $word',
      '$line.includes($word.slice(13, -2))',
    ],
    ['contract', 'contract/pipe/hand-over.test.ts', 'GW-66'],
  ),
  removedCheck(
    'requests-to-a-gateway-that-rests',
    ['Session', '$open && !($resting && $waits)', '$open'],
    ['contract', 'contract/pipe/hand-over.test.ts', 'keeps requests for the next gateway'],
  ),
  removedCheck(
    'wait-for-a-gateway-that-hangs',
    ['runPipe', 'socket.destroy()', 'void 0'],
    ['contract', 'contract/pipe/start.test.ts', 'takes the connection and says nothing'],
  ),
  removedCheck(
    'answer-of-a-gateway-that-hangs-later',
    ['runPipe', 'if ($polls * poll >= $time) $connection.destroy(); else $session.ask($connection);', ''],
    ['contract', 'contract/pipe/restart.test.ts', 'one that hangs had been asked'],
  ),
  removedCheck(
    'long-call-taken-for-one-that-hangs',
    [
      'runPipe',
      'if ($polls * poll >= $time) $connection.destroy(); else $session.ask($connection);',
      'if ($polls * poll >= $time) $connection.destroy();',
    ],
    ['contract', 'contract/pipe/restart.test.ts', 'lets a call take its time'],
  ),
  removedCheck(
    'word-to-a-pipe-that-waits-behind-its-lines',
    ['PipeConnection', 'if ($taking && $socket.writableLength === 0) void $write(pipeWords.here);', ''],
    ['contract', 'contract/gateway/here.test.ts', 'wait for its turn'],
  ),
  removedCheck(
    'profile-made-where-none-is',
    ['runPipe', '!holdsProfile($folder)', 'false'],
    ['contract', 'contract/pipe/start.test.ts', 'without a profile'],
  ),
  removedCheck(
    'pause-after-a-kill',
    ['runPipe', "$killed ||= $code === 'ECONNREFUSED';", ''],
    ['contract', 'contract/pipe/start.test.ts', 'replaces one that was killed sooner'],
  ),
  removedCheck(
    'request-lost-with-its-gateway',
    ['Session', 'if (!$isRepeated) this.#lost($id);', ''],
    ['contract', 'contract/pipe/restart.test.ts', 'however often its gateway ends'],
  ),
];
