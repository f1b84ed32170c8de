import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { Socket, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { gatewayPlaces, holdsProfile } from './find-gateway.js';
import { readWords, usage } from './read-words.js';
import { Session } from './session.js';
import { isRunning, startPostern } from './start-postern.js';

/** @import { PipeWords } from './read-words.js' */
/** @typedef {{ readonly writableLength: number, readonly writable: boolean }} Writer */

/** The program's; a test compares. */
const version = '0.1.0';

/** Milliseconds. */
const firstPause = 50;
const pause = 100;
const restingPause = 1_000;
/**
 * For how long Postern is looked for, from its start on, or from the end of a connection on that was one; and once the
 * process that was started has ended, which may have found that another one serves.
 */
const patience = 10_000;
/** As long as that process runs, which a busy computer keeps from listening: programs themselves give up after 30 s. */
const longestStart = 28_000;
/** The same for a program that was served before: a single request is given up after 60 s. */
const longestRestart = 55_000;
/** How long one that ended in order has until whoever comes in its place listens: a window, a service that restarts. */
const restartTime = 2_000;
/** The same of one that has left its socket behind, as only a process that was killed does. */
const killedTime = 200;
/** For how long a gateway that takes the connection may say nothing: one that lives says `here` at once. */
const answeringTime = 10_000;
/** Between two looks whether the parent is there, and whether the gateway has said anything that is waited for. */
const poll = 2_000;
const closingTime = 500;
/** After the end of the program's input: for how long the gateway may say nothing while requests are unanswered. */
const answerTime = 60_000;
/** The same, however much it says. */
const longestAnswerTime = 600_000;
/** For how long whoever reads the last answers may take them. */
const drainTime = 10_000;

const profileStep =
  'Check the folder in the entry of this program. Postern makes a profile when a server is connected in it.';

const chunkBytes = 64 * 1_024;
/** Bytes of texts in the first line, which has 4 KiB. */
const longestFolder = 1_024;

/**
 * A program's standard input and output, and the gateway of a profile, until one of them ends. Ends the process: 0; 1
 * when no gateway was ever reached; 2 when the words cannot be understood.
 * @param {readonly string[]} argv
 * @param {readonly string[]} [postern] the command that starts Postern in the background; absent where none is known
 */
export function runPipe(argv, postern) {
  // The compiler that is left is fast enough for what a pipe does; the other one, and its threads, cost 6 MB.
  for (const flag of ['--no-opt', '--no-concurrent-recompilation']) setFlagsFromString(flag);
  const words = readWords(argv);
  if (!words) {
    tell(usage);
    process.exit(2);
  }
  new Pipe(words, postern).begin();
}

class Pipe {
  #words;
  #postern;
  #stdin = openStdin(
    (chunk) => {
      this.#session.read(chunk);
      this.#hurry();
    },
    () => this.#connection,
  );
  #stdout = openStdout();
  #session = new Session({ write: (bytes) => this.#write(bytes), flow: () => this.#flow() });
  /** @type {Socket | undefined} */
  #connection;
  #hasConnected = false;
  /** Whether anybody who took a connection has said something. */
  #hasHeard = false;
  #hasStarted = false;
  /** The process of the Postern that was started last. @type {number | undefined} */
  #started;
  /** When it was last seen to run, in monotonic milliseconds. */
  #seenAt = 0;
  /** Whoever took the last connection said nothing: the next try waits for a need. */
  #isUnanswered = false;
  #isEnding = false;
  /** When the program's input ended, in monotonic milliseconds. @type {number | undefined} */
  #inputEndedAt;
  /** @type {NodeJS.Timeout | undefined} */
  #answerTimer;
  /** Since when nobody has listened, in monotonic milliseconds. */
  #aloneSince = performance.now();
  /** Since when the program has waited for somebody. @type {number | undefined} */
  #waitedSince;
  /** Whether whoever has the connection has said something. */
  #isHere = false;
  /** Looks in a row at which the program waited, and the gateway had said nothing. */
  #quietPolls = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Nobody has been there for long, and nobody is needed: it looks seldom. */
  #isResting = false;

  /** @param {PipeWords} words @param {readonly string[] | undefined} postern */
  constructor(words, postern) {
    this.#words = words;
    this.#postern = postern;
  }

  begin() {
    const parent = process.ppid;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.#end());
    setInterval(() => (process.ppid === parent ? this.#listen() : this.#end()), poll).unref();
    this.#stdin.on('end', () => {
      this.#inputEndedAt = performance.now();
      this.#session.endInput();
      this.#hurry();
      this.#awaitAnswers();
    });
    this.#stdin.on('error', () => this.#end());
    this.#stdout.on('error', () => this.#end());
    this.#stdout.on('drain', () => this.#connection?.resume());
    this.#look();
  }

  /** A script closes its end after its last request: the answers still go out. */
  #awaitAnswers() {
    if (this.#inputEndedAt === undefined || this.#isEnding) return;
    if (!this.#session.isAwaiting) return this.#end();
    clearTimeout(this.#answerTimer);
    const left = this.#inputEndedAt + longestAnswerTime - performance.now();
    this.#answerTimer = setTimeout(
      () => {
        this.#session.giveUp();
        this.#end();
      },
      Math.max(Math.min(answerTime, left), 0),
    );
  }

  /** One try at each place. */
  #look() {
    if (this.#isUnanswered) {
      if (!this.#session.isWaitedFor) {
        this.#timer = setTimeout(() => this.#look(), pause);
        return;
      }
      this.#isUnanswered = false;
      this.#aloneSince = performance.now();
    }
    this.#isResting = false;
    const places = gatewayPlaces(this.#words.profileFolder);
    let wasKilled = false;
    /** @param {number} at */
    const tryPlace = (at) => {
      const place = places[at];
      if (place === undefined) return this.#wait(wasKilled);
      /** @type {(chunk: Buffer) => void} */
      let take = () => {};
      const onread = readInPlace(
        (chunk) => take(chunk),
        () => this.#stdout,
      );
      const socket = connect({ path: place, onread });
      socket.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
        wasKilled ||= code === 'ECONNREFUSED';
        tryPlace(at + 1);
      });
      socket.once('connect', () => {
        socket.removeAllListeners('error');
        take = this.#serve(socket);
      });
    };
    tryPlace(0);
  }

  /** Nobody is there. @param {boolean} wasKilled whoever was there has left its socket behind */
  #wait(wasKilled) {
    const now = performance.now();
    const { isWaitedFor } = this.#session;
    if (isWaitedFor) this.#waitedSince ??= now;
    const restarts = this.#aloneSince + (wasKilled ? killedTime : restartTime);
    const startsAt = this.#hasConnected ? Math.max(restarts, this.#waitedSince ?? Infinity) : this.#aloneSince;
    const { profileFolder } = this.#words;
    if (!holdsProfile(profileFolder)) {
      if (isWaitedFor) return this.#giveUp(`has no profile in ${profileFolder}`, profileStep);
    } else if (!this.#hasStarted && now >= startsAt && this.#postern) {
      this.#hasStarted = true;
      startPostern(this.#postern, profileFolder, (pid) => (this.#started = pid));
    }
    if (this.#started !== undefined && isRunning(this.#started)) this.#seenAt = now;
    const patientUntil = Math.max(startsAt, this.#seenAt) + patience;
    const longest = startsAt + (this.#hasConnected ? longestRestart : longestStart);
    if (this.#waitedSince !== undefined && now >= Math.min(patientUntil, longest)) {
      return this.#seenAt === now
        ? this.#giveUp(
            'has been started but is not ready yet',
            'Wait a minute, then try again. If it stays so, run `postern doctor`.',
          )
        : this.#giveUp('could not be reached or started', 'Start Postern, or run `postern serve`.');
    }
    this.#isResting = this.#waitedSince === undefined && now - this.#aloneSince > patience;
    this.#timer = setTimeout(() => this.#look(), this.#isResting ? restingPause : pause);
  }

  /** The program has said something. */
  #hurry() {
    if (!this.#isResting || !this.#session.isWaitedFor) return;
    clearTimeout(this.#timer);
    this.#look();
  }

  /** @param {string} what @param {string} nextStep */
  #giveUp(what, nextStep) {
    this.#refuse(what, nextStep);
    if (!this.#hasConnected || this.#isEnding) return this.#end();
    this.#waitedSince = undefined;
    this.#hasStarted = false;
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  /** @param {string} what it is that Postern did or could not do @param {string} nextStep */
  #refuse(what, nextStep) {
    tell(`postern: ${what}.`);
    this.#session.refuse(`Postern ${what}.`, { code: 'GATEWAY_UNREACHABLE', nextStep });
    if (this.#hasConnected) this.#awaitAnswers();
  }

  /** Its process hangs: a program gets an answer all the same. */
  #giveUpOnSilence() {
    this.#isUnanswered = true;
    this.#forgetStart();
    const isWaitedFor = this.#session.isWaitedFor;
    this.#refuse('is running but does not answer', 'Run `postern doctor`, which names its process, and end that one.');
    if (isWaitedFor && !this.#hasHeard) return this.#end(1);
    if (this.#isEnding) return;
    this.#waitedSince = undefined;
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  /** Somebody was there. Another process may have the id of that one later. */
  #forgetStart() {
    this.#hasStarted = false;
    this.#started = undefined;
  }

  /** One that hangs after its first answer keeps nobody waiting either: it is asked, and hung up on. */
  #listen() {
    const connection = this.#connection;
    // What the program does not take, nobody reads of the gateway.
    const canSpeak = connection && this.#isHere && !connection.isPaused() && this.#session.canAsk(connection);
    if (!canSpeak || !this.#session.isAwaiting) {
      this.#quietPolls = 0;
      return;
    }
    this.#quietPolls += 1;
    if (this.#quietPolls * poll >= answeringTime) connection.destroy();
    else this.#session.ask(connection);
  }

  /** @param {Socket} socket @returns {(chunk: Buffer) => void} takes what comes from it */
  #serve(socket) {
    this.#connection = socket;
    socket.write(this.#hello());
    const side = this.#session.connect(socket);
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      socket.destroy();
    }, answeringTime);
    socket.on('drain', () => this.#flow());
    // The end follows.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(silence);
      this.#connection = undefined;
      if (this.#isEnding) return;
      side.end();
      this.#awaitAnswers();
      if (this.#isEnding) return;
      if (isSilent) return this.#giveUpOnSilence();
      // One that brought nothing was none.
      if (!this.#isHere) return this.#wait(false);
      this.#aloneSince = performance.now();
      this.#waitedSince = undefined;
      this.#forgetStart();
      this.#timer = setTimeout(() => this.#look(), firstPause);
    });
    if (!this.#hasConnected) tell(`postern: connected, for ${this.#words.server}.`);
    this.#hasConnected = true;
    this.#isHere = false;
    return (chunk) => {
      this.#quietPolls = 0;
      if (!this.#isHere) {
        this.#isHere = true;
        clearTimeout(silence);
        this.#hasHeard = true;
      }
      side.read(chunk);
      this.#awaitAnswers();
      if (this.#isEnding) socket.end();
    };
  }

  #hello() {
    const { server, program } = this.#words;
    const open = { server, program, pipe: version, pid: process.pid, parent: parentName(), cwd: workingFolder() };
    return `${JSON.stringify({ postern: 1, open: { ...open, awaitsHere: true } })}\n`;
  }

  /** @param {Buffer | string} bytes */
  #write(bytes) {
    if (!this.#stdout.write(bytes)) this.#connection?.pause();
  }

  #flow() {
    if (this.#session.isReading === !this.#stdin.isPaused()) return;
    if (this.#session.isReading) this.#stdin.resume();
    else this.#stdin.pause();
  }

  /** What was written goes out first; nobody waits longer for that than `closingTime`, or `drainTime` for last answers. */
  #end(code = this.#hasConnected ? 0 : 1) {
    if (this.#isEnding) return;
    this.#isEnding = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#answerTimer);
    setTimeout(() => process.exit(code), this.#inputEndedAt === undefined ? closingTime : drainTime);
    const endOutput = () => {
      if (this.#stdout.writableLength === 0 || this.#stdout.destroyed) process.exit(code);
      this.#stdout.once('drain', () => process.exit(code));
    };
    const connection = this.#connection;
    if (!connection) return endOutput();
    connection.once('finish', endOutput).once('close', endOutput);
    // Else as soon as it has said that it is there.
    if (this.#isHere || !this.#session.hasWaiting) connection.end();
  }
}

/**
 * Reads always into the same memory, but for the time that something of it is still to be written: a new piece for each
 * chunk would stay until Node cleans up, and make a pipe through which much has passed twice as large.
 * @param {(chunk: Buffer) => void} take
 * @param {() => Writer | undefined} writer where the chunks go
 */
function readInPlace(take, writer) {
  /** @type {Buffer | undefined} */
  let current;
  /** @type {Buffer[]} What was read before, and is still to be written. */
  const busy = [];
  /** @type {Buffer[]} */
  const spare = [];
  /** @param {Buffer} last */
  const hasLeft = (last) => {
    const { writableLength, writable } = writer() ?? { writableLength: 0, writable: true };
    if (writableLength === 0 && writable) spare.push(...busy.splice(0));
    else busy.push(last);
    return busy.length === 0;
  };
  return {
    /** @returns {Buffer} */
    buffer: () => {
      // Node keeps the one that it has.
      if (current && hasLeft(current)) return /** @type {any} */ (undefined);
      current = spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
      return current;
    },
    /** @param {number} length @param {Uint8Array} buffer */
    callback: (length, buffer) => {
      take(/** @type {Buffer} */ (buffer).subarray(0, length));
      return true;
    },
  };
}

/** @param {(chunk: Buffer) => void} take @param {() => Writer | undefined} writer */
function openStdin(take, writer) {
  if (!isPipe(0)) return process.stdin.on('data', take);
  return new Socket({ fd: 0, writable: false, onread: readInPlace(take, writer) });
}

/**
 * Node writes to a standard output that is a pipe in one go, and would read nothing meanwhile: a program that writes
 * much before it reads would wait for ever.
 */
function openStdout() {
  return isPipe(1) ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}

/** @param {number} descriptor */
function isPipe(descriptor) {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket();
}

function parentName() {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(`/proc/${process.ppid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function workingFolder() {
  try {
    const folder = process.cwd();
    return Buffer.byteLength(folder) <= longestFolder ? folder : undefined;
  } catch {
    // It has been deleted.
    return undefined;
  }
}

/** @param {string} line */
function tell(line) {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody listens.
  }
}
