import type { Mutant } from './mutant.ts';

/** One check of the native pipe taken out, and the title of the contract test that has to miss it. */
function removedNativeCheck(
  name: string,
  [where, find, replace]: readonly [where: string, find: string, replace: string],
  [file, title]: readonly [file: string, title: string],
): Mutant {
  return {
    name: `native-${name}`,
    edits: [],
    nativeEdit: { in: where, find, replace },
    caughtBy: [{ kind: 'vitest', project: 'contract', file: `test/contract/pipe/${file}.test.ts`, title }],
  };
}

/** What the pipe in Rust looks at: for each row that it answers for, and for each check that is taken out of the other. */
export const removedNativePipeChecks: readonly Mutant[] = [
  removedNativeCheck(
    'socket-in-an-open-folder',
    ['unix.rs', '&& stats.mode() & 0o077 == 0', ''],
    ['lines', 'trusts no socket'],
  ),
  removedNativeCheck(
    'half-message-to-the-program',
    ['session.rs', 'tell(&mut out, &[b"\\n"]);', 'tell(&mut out, &[]);'],
    ['restart', 'gives the program no half message'],
  ),
  removedNativeCheck(
    'half-message-to-the-gateway',
    ['session.rs', 'let connection = state.open.clone().filter(|_| !is_torn);', 'let connection = state.open.clone();'],
    ['restart', 'gives the gateway no half message'],
  ),
  removedNativeCheck(
    'handshake-answered-again',
    ['session.rs', 'if is_unseen && envelope.is_answer() {', 'if is_unseen && envelope.is_answer() && false {'],
    ['restart', 'survives a gateway that ends in the middle of the handshake'],
  ),
  removedNativeCheck(
    'request-to-a-gateway-that-never-reads',
    [
      'session.rs',
      'let (mut reader, mut chunk, mut brought)',
      'side.begin(); let (mut reader, mut chunk, mut brought)',
    ],
    ['restart', 'sends nothing to one that has not said'],
  ),
  removedNativeCheck(
    'wait-for-a-cancelled-request',
    ['session.rs', 'self.sent.retain(|each| !names(bytes, each));', ''],
    ['restart', 'has nobody wait for a request'],
  ),
  removedNativeCheck(
    'first-of-two-ids',
    ['envelope.rs', '"id" => self.envelope.id = None,', '"id" if self.envelope.id.is_some() => self.name.clear(),'],
    ['restart', 'reads ids as JSON.parse does'],
  ),
  removedNativeCheck(
    'answer-to-a-gateway-that-is-gone',
    ['session.rs', 'if envelope.is_answer() && !remove(&mut state.asked, &envelope.key) { return; }', ''],
    ['restart', 'takes back what a lost gateway had asked'],
  ),
  removedNativeCheck(
    'secrets-of-a-program-for-postern',
    ['main.rs', 'None => name == each,', 'None => name == each || true,'],
    ['start', 'gives it the profile'],
  ),
  removedNativeCheck(
    'message-held-as-a-whole',
    ['lines.rs', 'if self.held.len() > sink.limit() {', 'if false && self.held.len() > sink.limit() {'],
    ['lines', 'carries messages of many MB'],
  ),
  removedNativeCheck(
    'word-within-a-message',
    [
      'session.rs',
      'REST => return self.session.rest(self.connection),',
      'word if word.ends_with(&REST[13..]) => return self.session.rest(self.connection),',
    ],
    ['hand-over', 'takes no message of a server for a word'],
  ),
  removedNativeCheck(
    'stranger-at-the-port',
    ['loopback.rs', '(heard == expected).then_some(connection)', 'Some(connection)'],
    ['loopback', 'says nothing of its program to a stranger'],
  ),
  removedNativeCheck(
    'requests-to-a-gateway-that-rests',
    [
      'session.rs',
      'state.open.clone().filter(|_| !state.waits_at_rest(&line))',
      'state.open.clone().filter(|_| !state.waits_at_rest(&line) || true)',
    ],
    ['hand-over', 'keeps requests for the next gateway'],
  ),
  removedNativeCheck(
    'wait-for-a-gateway-that-hangs',
    ['session.rs', 'while quiet_polls < QUIET_POLLS {', 'loop {'],
    ['start', 'takes the connection and says nothing'],
  ),
  removedNativeCheck(
    'long-call-taken-for-one-that-hangs',
    ['session.rs', 'let _ = (&*connection).write_all(ASK);', ''],
    ['restart', 'lets a call take its time'],
  ),
  removedNativeCheck(
    'profile-made-where-none-is',
    ['main.rs', 'let has_profile = holds_profile(&words.profile_folder);', 'let has_profile = true;'],
    ['start', 'starts nobody in a folder without a profile'],
  ),
  removedNativeCheck(
    'pause-after-a-kill',
    ['main.rs', 'if absent == Absent::Killed { KILLED_TIME } else { RESTART_TIME }', 'RESTART_TIME'],
    ['start', 'replaces one that was killed sooner'],
  ),
];
