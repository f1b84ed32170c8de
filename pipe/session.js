import { LineReader } from './read-lines.js';

/** @import { Socket } from 'node:net' */
/** @import { Envelope } from './scan-envelope.js' */

/**
 * A whole line of the program that has not been sent, or may not have been.
 * @typedef {{ readonly bytes: Buffer, readonly envelope: Envelope }} Line
 */

/** Longer lines are passed on in parts while they come, so that no message is held in memory as a whole. */
const longestHeld = 64 * 1_024;
/** Bytes that are read of the program while nobody takes them. */
const longestWaiting = 1_024 * 1_024;
/** Bytes on their way to the gateway, above which the program is not read. */
const longestUnsent = 256 * 1_024;

/** What stands on a line of its own between a pipe and its gateway: main/net/endpoint/pipe-connection.ts. */
const hereWord = '{"postern":1,"control":"here"}\n';
const restWord = '{"postern":1,"control":"rest"}\n';
const restingWord = '{"postern":1,"control":"resting"}\n';
const backWord = '{"postern":1,"control":"back"}\n';
const askWord = '{"postern":1,"control":"ask"}\n';

/**
 * One program and its gateway. It outlives the connection: what had been sent and not answered is answered with
 * SESSION_LOST, what had not been sent or is given back waits, and the next connection is told the program's own
 * handshake again.
 */
export class Session {
  #write;
  #flow;
  /** The connection, once what came before has been told to it again. @type {Socket | undefined} */
  #open;
  /** @type {Line[]} */
  #waiting = [];
  #waitingBytes = 0;
  /** Given back by the gateway, in order: it has not left for the server. @type {Line[]} */
  #givenBack = [];
  /** The gateway makes room for another: requests wait for that one. */
  #isResting = false;
  /** Handed to the connection, in order, and not known to have left. @type {Line[]} */
  #leaving = [];
  /** The program's requests under way: id as it was written, by key. @type {Map<string, string>} */
  #sent = new Map();
  /** Requests to the program that it has not answered. @type {Map<string, string>} */
  #asked = new Map();
  /** @type {Line | undefined} */
  #initialize;
  #isInitialized = false;
  /** `notifications/initialized`. @type {Buffer | undefined} */
  #ready;
  /** `subscriptions/listen` that is open. @type {Map<string, Line>} */
  #listening = new Map();
  /** What the program has listed, and can be told of. */
  #listed = new Set(['tools']);
  /** The rest of a long line whose beginning went to a connection that is gone. */
  #isTorn = false;
  /** Lines of the program that are no message. */
  #unclear = 0;
  /** The program says nothing more, and so answers nothing. */
  #isOver = false;
  #fromProgram;

  /**
   * @param {object} options
   * @param {(bytes: Buffer | string) => void} options.write to the program
   * @param {() => void} options.flow whether the program is read may have changed
   */
  constructor({ write, flow }) {
    this.#write = write;
    this.#flow = flow;
    this.#fromProgram = new LineReader({
      limit: () => (this.#open && !this.#isResting ? longestHeld : Infinity),
      whole: (bytes, envelope) => this.#take({ bytes, envelope: isEmpty(bytes) ? envelope : this.#named(envelope) }),
      part: (part) => this.#passOn(part),
      end: (part, envelope) => this.#endLong(part, this.#named(envelope)),
    });
  }

  /** @param {Buffer} chunk of the program */
  read(chunk) {
    const connection = this.#open;
    connection?.cork();
    this.#fromProgram.push(chunk);
    connection?.uncork();
  }

  /** The program says nothing more. Its last line may have had no end. */
  endInput() {
    if (this.#fromProgram.heldBytes > 0 || this.#fromProgram.isWithinLong) this.read(Buffer.from('\n'));
    this.#isOver = true;
    for (const id of this.#asked.values()) this.#decline(id);
  }

  /** What was sent and is not answered gets no answer any more. */
  giveUp() {
    const unanswered = [...this.#sent].filter(([key]) => !this.#listening.has(key));
    for (const [, id] of unanswered) this.#lost(id);
    this.#sent.clear();
  }

  /** Whether more of the program may be read now. */
  get isReading() {
    if (this.#open && !this.#isResting) return this.#open.writableLength < longestUnsent;
    return this.#waitingBytes + this.#fromProgram.heldBytes < longestWaiting;
  }

  /** Whether the program has said something that no connection has. */
  get hasWaiting() {
    return this.#waiting.length > 0;
  }

  /** Whether the program waits for something that no connection has. */
  get isWaitedFor() {
    return this.#isHandshakeOpen() || this.#waiting.some(({ envelope }) => isRequest(envelope));
  }

  /** The same, of what a connection has too. What is listened to without end is not waited for. */
  get isAwaiting() {
    return this.isWaitedFor || [...this.#sent.keys()].some((key) => !this.#listening.has(key));
  }

  /** Whether a word can go to the gateway, or has to wait for what it does not take. @param {Socket} connection */
  canAsk(connection) {
    return !this.#isWithinSent || connection.writableLength > 0;
  }

  /** Asks the gateway whether it is there. @param {Socket} connection */
  ask(connection) {
    if (!this.#isWithinSent) connection.write(askWord);
  }

  /**
   * Nothing is sent before it has said that it is there: one that ends takes connections whose lines it never reads.
   * @param {Socket} connection to a gateway, to which nothing but the first line has been written
   * @returns {{ read(chunk: Buffer): void, end(): void }} takes what comes from it, and its end
   */
  connect(connection) {
    const again = this.#initialize;
    /** Whose answer is not for the program. */
    let unseen = again && this.#isInitialized ? again.envelope.key : undefined;
    let isHere = false;
    const begin = () => {
      if (isHere) return;
      isHere = true;
      if (again) {
        connection.write(again.bytes);
        if (unseen === undefined) this.#noteSent(again.envelope);
      }
      if (unseen === undefined) this.#resume(connection);
    };
    /** The next line is one of the program's that is given back. */
    let isBack = false;
    const fromGateway = new LineReader({
      limit: () => (unseen === undefined && !isBack ? longestHeld : Infinity),
      whole: (line, envelope) => {
        if (isBack) {
          isBack = false;
          // The handshake told again is kept in any case.
          if (unseen === undefined || envelope.key !== unseen) this.#takeBack({ bytes: line, envelope });
        } else if (isWord(line, envelope, hereWord)) begin();
        else if (isWord(line, envelope, backWord)) isBack = true;
        else if (isWord(line, envelope, restWord)) this.#rest(connection);
        else if (envelope.isAnswer && envelope.key === unseen) {
          unseen = undefined;
          if (!this.#isResting) this.#resume(connection);
        } else {
          this.#note(envelope);
          this.#write(line);
        }
      },
      part: (part) => this.#write(part),
      end: (part, envelope) => {
        this.#note(envelope);
        this.#write(part);
      },
    });
    return {
      read: (chunk) => fromGateway.push(chunk),
      end: () => {
        // The program gets a line of its own for what it is told next.
        if (fromGateway.isWithinLong) this.#write('\n');
        this.#lose();
      },
    };
  }

  /** Every request that waits gets this error. @param {string} message @param {Record<string, string>} data */
  refuse(message, data) {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#initialize && this.#isHandshakeOpen()) this.#refuse(this.#initialize.envelope.id, message, data);
    this.#isInitialized = this.#initialize !== undefined;
    for (const { envelope } of waiting) if (isRequest(envelope)) this.#refuse(envelope.id, message, data);
    this.#flow();
  }

  /** What is no message is a request all the same: an answer comes to it. @param {Envelope} envelope */
  #named(envelope) {
    return envelope.isUnclear ? { ...envelope, id: 'null', key: `null ${(this.#unclear += 1)}` } : envelope;
  }

  /** @param {Line} line of the program */
  #take(line) {
    // Asked by a connection that is gone: the next one may have asked something else by that id.
    if (line.envelope.isAnswer && !this.#asked.delete(line.envelope.key ?? '')) return;
    if (this.#open && !(this.#isResting && this.#waitsAtRest(line))) return this.#send(this.#open, line);
    // A chunk is larger than its lines.
    this.#waiting.push({ bytes: Buffer.from(line.bytes), envelope: line.envelope });
    this.#waitingBytes += line.bytes.length;
    this.#flow();
  }

  /** @param {Socket} connection @param {Line} line */
  #send(connection, line) {
    this.#noteSent(line.envelope);
    const { method, key } = line.envelope;
    if (method === 'initialize' && key !== undefined) {
      this.#initialize = { bytes: Buffer.from(line.bytes), envelope: line.envelope };
      this.#isInitialized = false;
      this.#ready = undefined;
    } else if (method === 'notifications/initialized') this.#ready = Buffer.from(line.bytes);
    else if (method === 'subscriptions/listen' && key !== undefined) {
      this.#listening.set(key, { bytes: Buffer.from(line.bytes), envelope: line.envelope });
    } else if (method === 'notifications/cancelled') this.#cancel(line.bytes.toString());
    this.#leaving.push(line);
    connection.write(line.bytes, (error) => {
      if (!error) this.#leaving.shift();
    });
    this.#flow();
  }

  /** Nobody waits for its answer any more, and there may be none. @param {string} cancellation */
  #cancel(cancellation) {
    for (const [key, id] of this.#sent) {
      if (!isOf(cancellation, id)) continue;
      this.#sent.delete(key);
      this.#listening.delete(key);
    }
  }

  /** What belongs to a request under way goes on; all else is for the next gateway. @param {Line} line */
  #waitsAtRest({ bytes, envelope }) {
    if (envelope.isAnswer) return false;
    if (envelope.method !== 'notifications/cancelled') return true;
    const cancellation = bytes.toString();
    return ![...this.#sent.values()].some((id) => isOf(cancellation, id));
  }

  /** The connection has the beginning of a long line, and not its end. */
  get #isWithinSent() {
    return this.#fromProgram.isWithinLong && !this.#isTorn;
  }

  /** @param {Socket} connection */
  #rest(connection) {
    this.#isResting = true;
    // The end of a long line first, whose beginning has been sent.
    if (!this.#isWithinSent) connection.write(restingWord);
    this.#flow();
  }

  /** @param {Line} line */
  #takeBack({ bytes, envelope }) {
    this.#forget(envelope);
    this.#givenBack.push({ bytes: Buffer.from(bytes), envelope });
  }

  /** @param {Envelope} envelope of the program */
  #noteSent({ id, key, method, isAnswer }) {
    if (isAnswer || id === undefined || key === undefined) return;
    this.#sent.set(key, id);
    if (method?.endsWith('/list')) this.#listed.add(method.slice(0, -'/list'.length));
  }

  /** @param {Envelope} envelope of the gateway */
  #note({ id, key, method, isUnclear }) {
    // They are answered in their order.
    if (isUnclear) this.#sent.delete([...this.#sent.keys()].find((each) => each.startsWith('null ')) ?? '');
    if (id === undefined || key === undefined) return;
    if (method !== undefined) {
      this.#asked.set(key, id);
      if (this.#isOver) this.#decline(id);
    } else {
      this.#sent.delete(key);
      this.#listening.delete(key);
      if (key === this.#initialize?.envelope.key) this.#isInitialized = true;
    }
  }

  /** In the place of the program, since a server waits for it. @param {string} id */
  #decline(id) {
    const error = { code: -32_000, message: 'The input of the app has ended.' };
    this.read(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`));
  }

  /** @param {Buffer} part of a long line of the program */
  #passOn(part) {
    if (!this.#open) this.#isTorn = true;
    if (!this.#isTorn) this.#open?.write(part);
    this.#flow();
  }

  /** @param {Buffer} part @param {Envelope} envelope */
  #endLong(part, envelope) {
    if (this.#open && !this.#isTorn) {
      this.#noteSent(envelope);
      if (envelope.isAnswer) this.#asked.delete(envelope.key ?? '');
      this.#passOn(part);
      if (this.#isResting) this.#open.write(restingWord);
    } else if (isRequest(envelope)) this.#lost(envelope.id);
    this.#isTorn = false;
  }

  /** The rest of what a connection has to know, and then what waits. @param {Socket} connection */
  #resume(connection) {
    connection.cork();
    if (this.#ready) connection.write(this.#ready);
    for (const { bytes, envelope } of this.#listening.values()) {
      connection.write(bytes);
      this.#noteSent(envelope);
    }
    if (this.#ready || this.#listening.size > 0) {
      for (const list of ['tools', 'resources', 'prompts'].filter((each) => this.#listed.has(each))) {
        this.#write(`${JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })}\n`);
      }
    }
    this.#open = connection;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const line of waiting) this.#send(connection, line);
    connection.uncork();
    this.#flow();
  }

  #lose() {
    this.#open = undefined;
    this.#isResting = false;
    this.#isTorn ||= this.#fromProgram.isWithinLong;
    // The gateway reads whole lines: what may have left in part has not been understood.
    // Not so a request whose answer came before the word that it has left: it would be carried out twice.
    const leaving = this.#leaving.filter(({ envelope }) => !isRequest(envelope) || this.#sent.has(envelope.key ?? ''));
    for (const { envelope } of leaving) this.#forget(envelope);
    // Copied: what they were read into is read into again.
    const unsent = leaving.map(({ bytes, envelope }) => ({ bytes: Buffer.from(bytes), envelope }));
    this.#waiting = [...this.#givenBack, ...unsent, ...this.#waiting];
    this.#givenBack = [];
    this.#waitingBytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#leaving = [];
    for (const [key, id] of this.#sent) {
      const isRepeated =
        this.#listening.has(key) || (this.#isHandshakeOpen() && key === this.#initialize?.envelope.key);
      if (!isRepeated) this.#lost(id);
    }
    this.#sent.clear();
    for (const id of this.#asked.values()) {
      this.#write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`);
    }
    this.#asked.clear();
    this.#flow();
  }

  /** As if it had never been handed on. @param {Envelope} envelope */
  #forget({ key, method }) {
    if (key !== undefined) {
      this.#sent.delete(key);
      this.#listening.delete(key);
      if (key === this.#initialize?.envelope.key) this.#initialize = undefined;
    }
    if (method === 'notifications/initialized') this.#ready = undefined;
  }

  #isHandshakeOpen() {
    return this.#initialize !== undefined && !this.#isInitialized;
  }

  /** @param {string | undefined} id */
  #lost(id) {
    // By that one nobody finds what was lost.
    if (id === 'null') return;
    const message = 'The connection to Postern ended before this was answered. What it asked for may have been done.';
    this.#refuse(id, message, { code: 'SESSION_LOST' });
  }

  /** @param {string | undefined} id @param {string} message @param {Record<string, string>} data */
  #refuse(id, message, data) {
    const error = JSON.stringify({ code: -32_000, message, data });
    this.#write(`{"jsonrpc":"2.0","id":${id},"error":${error}}\n`);
  }
}

/** @param {Envelope} envelope */
function isRequest({ id, isAnswer }) {
  return id !== undefined && !isAnswer;
}

/** The gateway skips it. @param {Buffer} line with its end */
function isEmpty(line) {
  return /^\r?\n$/u.test(line.toString('latin1', 0, 3));
}

/** @param {Buffer} line @param {Envelope} envelope @param {string} word */
function isWord(line, { id, method }, word) {
  return id === undefined && method === undefined && line.length === word.length && line.toString() === word;
}

/** Whether a cancellation is of the request with this id. @param {string} cancellation @param {string} [id] */
function isOf(cancellation, id = '') {
  const [, after = ''] = cancellation.split(/"requestId"\s*:\s*/u);
  return after.startsWith(id) && /^\s*[,}]/u.test(after.slice(id.length));
}
