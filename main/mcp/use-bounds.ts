/** Milliseconds that a call of a tool may take: without a word of it where nobody watches, and in all. */
export const toolCall = { silence: 60_000, longest: 6 * 3_600_000 } as const;

/**
 * Milliseconds around a task: for one answer about it, for its result, for the word that nobody waits; and between two
 * questions, where the server names no time and as bounds of the one that it names.
 */
export const toolTask = {
  answer: 60_000,
  longest: toolCall.longest,
  cancel: 3_000,
  poll: 1_000,
  shortest: 250,
  most: 15_000,
} as const;

/** Milliseconds for the word that a session is over to leave; nobody waits for an answer to it. */
export const sessionLeave = 100;

/** Bytes of an answer and of a stream for whoever hands long texts on as they come; without those the usual bound holds. */
export const handedOn = { message: 25_165_824, stream: 33_554_432 } as const;

/** Bytes of a file whose text is an argument of a tool. */
export const argumentFileBytes = 2_097_152;

/** Of what a server offers for an argument: milliseconds that somebody waits, and characters of one that is shown. */
export const completion = { patience: 4_000, length: 256 } as const;

/** Lines of a server's log in one call, and characters of each. */
export const logLines = { count: 100, length: 400 } as const;

/**
 * Of a resource that is followed, in milliseconds: between two readings, however often the server says that it was
 * updated; before the next connection, as bounds of what doubles each time; for the word that nobody follows any more;
 * and after which a connection has lasted. `failures`: connections that fail in a row.
 */
export const following = {
  between: 1_000,
  shortest: 1_000,
  longest: 30_000,
  leave: 2_000,
  lasted: 10_000,
  failures: 10,
} as const;

/**
 * Of what a server asks a person while it works: questions in one call, fields of a form, choices of a field,
 * characters of a name and of the message; milliseconds for one answer, and for the stream that questions may come on to
 * open before the call.
 */
export const serverQuestion = {
  count: 20,
  fields: 40,
  choices: 300,
  name: 128,
  message: 2_000,
  deadline: 600_000,
  opening: 2_000,
} as const;
