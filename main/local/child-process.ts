import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutStyles } from '../address/display-text.ts';
import type { PosternError } from '../errors/postern-error.ts';
import { CommandNotRunnable, LostRequest, printedWords } from '../errors/request-error.ts';
import { fairTurn, inTurnsOf } from '../fair-turn.ts';
import { windowsPrograms } from '../find-program.ts';
import { JsonTokens, openObject } from '../json-tokens.ts';
import { gatewayMessage } from '../limits.ts';
import { localServers } from '../local-ports.ts';
import type { LocalHearing, LocalOutput, LocalProcess } from '../local-ports.ts';
import { MessageLines } from '../message-lines.ts';

interface Starting {
  readonly path: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** As it is named in errors. */
  readonly command: string;
  readonly output: OutputTail;
  /** Told of its process before anything else happens. */
  readonly onStarted: (pid: number) => void;
  /** Told once that it has ended; `asked`: it was told to. */
  readonly onEnded: (asked: boolean) => void;
}

const isWindows = process.platform === 'win32';

/** cross-spawn starts a .cmd by this variable, or by a bare name, which is looked for in the current folder first. */
function nameCommandProcessor(): void {
  if (path.win32.isAbsolute(process.env['ComSpec'] ?? '')) return;
  process.env['ComSpec'] = path.win32.join(windowsPrograms(process.env), 'cmd.exe');
}

/** Those that run. Whatever ends this process, short of a kill, they end with it. */
const running = new Set<LocalChild>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** A process in a group of its own, without a shell: what it starts ends with it. */
export class LocalChild implements LocalProcess {
  readonly #child: ChildProcess;
  readonly #starting: Starting;
  readonly #hearing: LocalHearing;
  readonly #ended = Promise.withResolvers<void>();
  readonly #hurried = Promise.withResolvers<void>();
  readonly #spread = new SpreadObject(gatewayMessage.size);
  readonly #noise = new NoiseBound();
  /** Until its first message. */
  #asking: Asking | undefined = new Asking((question) => this.#endFor('LOCAL_ASKS', question));
  #stopping: Promise<void> | undefined;
  /** Why it is being ended, where that is its own fault. */
  #fault: PosternError | undefined;

  /** Errors: LOCAL_NOT_FOUND. */
  static async start(starting: Starting, hearing: LocalHearing): Promise<LocalChild> {
    const { default: spawn } = await import('cross-spawn');
    if (isWindows) nameCommandProcessor();
    const child = spawn(starting.path, [...starting.words], {
      cwd: starting.folder,
      // Windows would run what lies in the current folder before what PATH names, in a .cmd of npm too.
      env: { ...starting.env, ...(isWindows && { NoDefaultCurrentDirectoryInExePath: '1' }) },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: a signal to ours is none to it, and one to it reaches all that it has started.
      detached: !isWindows,
      windowsHide: true,
    });
    if (child.pid !== undefined) starting.onStarted(child.pid);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      const { command } = starting;
      throw new CommandNotRunnable('LOCAL_NOT_FOUND', { stage: 'local', cause, detail: { command, denied: true } });
    }
    return new LocalChild(child, starting, hearing);
  }

  private constructor(child: ChildProcess, starting: Starting, hearing: LocalHearing) {
    this.#child = child;
    this.#starting = starting;
    this.#hearing = hearing;
    child.stderr?.on('data', (chunk: Buffer) => {
      starting.output.add(chunk);
      this.#asking?.hear(chunk);
    });
    // Whatever goes wrong with them is told by its end.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
    child.on('error', () => {});
    child.once('exit', (code, signal) => void this.#end(code, signal));
    running.add(this);
    void inTurnsOf(this, () => this.#read());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async send(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin?.writable || stdin.write(`${line}\n`)) return;
    const over = new AbortController();
    await Promise.race([once(stdin, 'drain', { signal: over.signal }), this.#ended.promise]).catch(() => {});
    over.abort();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** This process ends soon: whatever its end waits for gets little time from now on. */
  hurry(): void {
    this.#hurried.resolve();
  }

  /** Ends it and what it has started, at once, where nobody waits for that. */
  kill(): void {
    endGroup(this.pid, 'SIGKILL');
    if (isWindows) this.#child.kill('SIGKILL');
  }

  /** MCP 2025-11-25, stdio shutdown: its input is closed, then it is told to end, then it is ended. */
  async #stop(): Promise<void> {
    const { byItself, told } = localServers.stop;
    this.#child.stdin?.end();
    if (await this.#endsWithin(byItself)) return;
    endGroup(this.pid, 'SIGTERM');
    if (await this.#endsWithin(told)) return;
    await this.#kill();
  }

  /** Its group; and where that has no effect, as with a `taskkill` that does not work, the process alone. */
  async #kill(): Promise<void> {
    endGroup(this.pid, 'SIGKILL');
    if (await this.#endsWithin(localServers.stop.killed)) return;
    this.#child.kill('SIGKILL');
    await this.#endsWithin(localServers.stop.killed);
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    const over = new AbortController();
    const passed = (time: number): Promise<boolean> => pause(time, false, { signal: over.signal }).catch(() => false);
    const soon = this.#hurried.promise.then(() => passed(localServers.stop.hurried));
    const ended = this.#ended.promise.then(() => true);
    return await Promise.race([ended, passed(milliseconds), soon]).finally(() => over.abort());
  }

  async #read(): Promise<void> {
    const lines = new MessageLines(gatewayMessage.size);
    try {
      for await (const chunk of this.#child.stdout ?? []) {
        this.#asking?.hear(chunk as Buffer);
        for (const { bytes: line, isTooLong } of lines.take(chunk as Buffer)) {
          await fairTurn();
          // Programs for Windows begin their output with one.
          const bytes = line.subarray(0, 3).equals(byteOrderMark) ? line.subarray(byteOrderMark.byteLength) : line;
          if (isTooLong) this.#hearing.onTooLong(bytes);
          const noise = isTooLong ? this.#spread.drop() : await this.#take(bytes);
          for (const each of noise) {
            this.#starting.output.add(Buffer.concat([each, Buffer.from('\n')]));
            if (this.#noise.isExceededBy(each.byteLength)) return this.#endFor('LOCAL_NOISE', each.toString('utf8'));
          }
        }
      }
    } catch {
      // Its end is told in any case.
    }
  }

  /** Answers what turns out to be no message. */
  async #take(line: Buffer): Promise<readonly Buffer[]> {
    // A part of a message may look like one, but for this member.
    const mayBeWhole = !this.#spread.isOpen || line.includes('"jsonrpc"');
    if (mayBeWhole && (await this.#isMessage(line))) return this.#spread.drop();
    const { whole, noise } = this.#spread.take(line);
    return whole && !(await this.#isMessage(whole)) ? [...noise, whole] : noise;
  }

  async #isMessage(line: Buffer): Promise<boolean> {
    if ((await this.#hearing.onLine(line)) === 'noise') return false;
    this.#stopAsking();
    return true;
  }

  #stopAsking(): void {
    this.#asking?.stop();
    this.#asking = undefined;
  }

  /** `printed`: the end of what it has. */
  #endFor(code: 'LOCAL_NOISE' | 'LOCAL_ASKS', printed: string): void {
    const { command } = this.#starting;
    const words = printedWords(printed);
    this.#fault = new LostRequest(code, { stage: 'local', purpose: 'mcp', detail: { command }, words });
    this.#child.stdout?.destroy();
    void this.#kill();
  }

  async #end(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { command, onEnded } = this.#starting;
    const wasAsked = this.#stopping !== undefined;
    this.#stopAsking();
    // What it has still said is on its way; what it has started may hold its streams open for ever.
    const closed = once(this.#child, 'close').catch(() => {});
    await Promise.race([closed, pause(localServers.lastWords, undefined, { ref: false })]);
    endGroup(this.pid, 'SIGKILL');
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    running.delete(this);
    onEnded(wasAsked);
    this.#ended.resolve();
    const how = { command, ...(code !== null && { code }), ...(signal !== null && { signal }) };
    this.#hearing.onEnd(
      this.#fault ?? new LostRequest('LOCAL_EXITED', { stage: 'local', purpose: 'mcp', detail: how }),
    );
  }
}

const byteOrderMark = Buffer.from('\ufeff');

/** What a person would be asked at a terminal, as the end of a line that has not ended. */
const question =
  /(?:\((?:y|yes)(?:\/(?:n|no))?\)|\[(?:y|yes)\/(?:n|no)\]|\?|\b(?:password|passphrase|passcode|pin|username|login|enter)\b[^:{]{0,80}:)\s*$/iu;

/** Finds a question that a command asks before it speaks MCP: its input is ours, so nobody can answer that. */
class Asking {
  readonly #onAsked: (question: string) => void;
  #line = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onAsked: (question: string) => void) {
    this.#onAsked = onAsked;
  }

  /** What comes on either of its streams. */
  hear(chunk: Buffer): void {
    clearTimeout(this.#timer);
    const { patience, length } = localServers.asking;
    const text = `${this.#line}${chunk.subarray(-length).toString('utf8')}`;
    this.#line = text.slice(text.lastIndexOf('\n') + 1).slice(-length);
    const line = withoutStyles(this.#line);
    if (line.trimStart().startsWith('{') || !question.test(line)) return;
    this.#timer = setTimeout(() => this.#onAsked(line), patience);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A banner, or a log on the wrong stream, is dropped; what comes without end is not read for ever. */
class NoiseBound {
  #since = -Infinity;
  #bytes = 0;

  isExceededBy(bytes: number): boolean {
    const { bytes: most, line, within } = localServers.noise;
    const now = performance.now();
    if (now - this.#since > within) [this.#since, this.#bytes] = [now, 0];
    this.#bytes += Math.max(bytes, line);
    return this.#bytes > most;
  }
}

/** Ends a process and all of its group; what is gone already is no error. */
export function endGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid <= 1) return;
  if (isWindows) {
    const file = path.win32.join(windowsPrograms(process.env), 'taskkill.exe');
    const force = signal === 'SIGKILL' ? ['/F'] : [];
    execFile(file, ['/PID', String(pid), '/T', ...force], { windowsHide: true }, () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** The last bytes of what is written into it: memory does not grow with the rest. */
export class OutputTail {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.byteLength;
    // A copy: what was read shares its memory with what was read beside it.
    const kept = Buffer.from(chunk.subarray(Math.max(0, chunk.byteLength - this.#limit)));
    this.#parts.push(kept);
    this.#bytes += kept.byteLength;
    if (this.#bytes > 2 * this.#limit || this.#parts.length > 4_096) this.#shorten();
  }

  /** What comes after the first `since` bytes, as far as it is there; where some is missing, from a new line on. */
  read(since = 0): LocalOutput {
    this.#shorten();
    const kept = this.#parts[0] ?? Buffer.alloc(0);
    const missing = this.#total - kept.byteLength;
    if (since >= missing) return { text: kept.subarray(since - missing).toString('utf8'), total: this.#total };
    const text = kept.toString('utf8');
    return { text: text.slice(text.indexOf('\n') + 1), total: this.#total };
  }

  #shorten(): void {
    const all = Buffer.concat(this.#parts);
    const kept = all.byteLength > this.#limit ? Buffer.from(all.subarray(all.byteLength - this.#limit)) : all;
    this.#parts = [kept];
    this.#bytes = kept.byteLength;
  }
}

const [space, lineEnd] = [0x20, Buffer.from('\n')];

/** What a line came to: an object of several lines that ends with it, and lines that belong to none. */
interface Taken {
  readonly whole: Buffer | undefined;
  readonly noise: readonly Buffer[];
}

/** A JSON object that comes over several lines, of at most `limit` bytes, though each message has one (MCP 2025-11-25, stdio). */
export class SpreadObject {
  readonly #limit: number;
  #tokens = new JsonTokens();
  #lines: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether one has begun. */
  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** A line that is no message by itself, without its end. */
  take(line: Buffer): Taken {
    const before = this.isOpen ? this.#add(line) : undefined;
    if (before) return before;
    // It may begin one, whatever the lines before it were.
    const noise = this.drop();
    const begun = line.find((byte) => byte > space) === openObject ? this.#add(line) : undefined;
    if (begun && !begun.whole && begun.noise.length === 0) return { whole: undefined, noise };
    this.drop();
    return { whole: undefined, noise: [...noise, line] };
  }

  /** Nothing more belongs to it: its lines. */
  drop(): readonly Buffer[] {
    const lines = this.#lines;
    this.#tokens = new JsonTokens();
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }

  /** `undefined`: the line does not belong to it. */
  #add(line: Buffer): Taken | undefined {
    const tokens = this.#tokens;
    tokens.feed(Buffer.concat([line, lineEnd]));
    while (tokens.next(0));
    if (tokens.fault >= 0 || this.#bytes + line.byteLength > this.#limit) return undefined;
    // A copy: what was read shares its memory with what was read beside it.
    this.#lines.push(Buffer.from(line));
    this.#bytes += line.byteLength + lineEnd.byteLength;
    if (!tokens.isJson) return { whole: undefined, noise: [] };
    const lines = this.drop();
    return { whole: Buffer.concat(lines.flatMap((each) => [each, lineEnd])), noise: [] };
  }
}
