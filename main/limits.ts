/** Every bound that a server, a page or a person can run into, in one place. */

const kibibyte = 1024;

/** Bytes, counted after decoding. */
export const bodyLimit = {
  metadata: 256 * kibibyte,
  token: 64 * kibibyte,
  registration: 64 * kibibyte,
  probe: 256 * kibibyte,
  /** One answer of an MCP server, or one event of its stream; tools return pictures. */
  mcpMessage: 6 * 1024 * kibibyte,
  /** All of one of its streams: what comes too fast to be thrown away in time takes memory as well. */
  mcpStream: 32 * 1024 * kibibyte,
} as const;
/** Milliseconds that a command waits for the lock to remove what a killed process has left. */
export const sweepPatience = 2_000;
/** Milliseconds, each over the whole exchange from the first byte sent to the last byte read. */
export const deadline = {
  connect: 5_000,
  /** All of one discovery. */
  discovery: 10_000,
  /** For what comes after the headers of a probe's answer. */
  probeBody: 1_000,
  registration: 10_000,
  token: 30_000,
  /** Of each best-effort request at sign-out and removal. */
  revocation: 10_000,
  /** Of all of them together when everything is deleted. */
  everyRevocation: 20_000,
  /** To the headers of an MCP answer and the end of one that is no event stream; to the old transport's first event. */
  mcpHeaders: 60_000,
  oldEndpoint: 10_000,
} as const;

/** `text`: characters of a name, and of a value that is kept or sent on; a longer one counts as absent. */
export const json = { depth: 32, keys: 2_000, text: 8 * kibibyte } as const;

/** Characters. An authorization URL that we build may be longer than one that a server gives us. */
export const urlLength = { received: 2_048, authorizationRequest: 8 * kibibyte } as const;
export const headerBytes = 16 * kibibyte;
/** Fields in one response, and interim responses before it. */
export const headerCount = 200;
export const redirectHops = 3;
/** What a server asks of us on one connection: answers under way at once, and answers that may wait; more get none. */
export const serverQuestions = { atOnce: 4, waiting: 100 } as const;
/** Levels of the arguments of a tool; the libraries recurse over them. */
export const toolInputDepth = 500;
/** Of discovery and registration: requests at once, requests in a row to one host, milliseconds for each more. */
export const discoveryRate = { atOnce: 4, burst: 60, interval: 1_000 } as const;
/** Bytes of an additional file of certificate authorities. */
export const certificateFileBytes = 1_024 * kibibyte;
export const authorizationServers = 10;
export const clientIdLength = 4 * kibibyte;
export const accessTokenLength = 32 * kibibyte;
export const displayNameLength = 80;
/** Characters of what a server says in an error, where that is shown. */
export const serverWordsLength = 500;
/** Characters of what a token answer calls its account. */
export const accountLength = 256;
/** Characters of a `code` or `state` in a callback. */
export const callbackParameterLength = 4 * kibibyte;

/** Milliseconds that a state token or an auth ticket lives (spec 2.7, 2.10). */
export const stateLifetime = 600_000;
/** A sign-in on another device: milliseconds that it lives, characters of its code; milliseconds between two polls. */
export const deviceCode = { longest: 1_800_000, length: 40 } as const;
export const devicePoll = { shortest: 1_000, usual: 5_000, longest: 60_000, slowDown: 5_000 } as const;
/** Milliseconds between two looks whether another process has started a newer sign-in of the same integration. */
export const leaseReview = 200;
/** Milliseconds that an older sign-in gets to give up the callback port, and between two tries to take it. */
export const portHandover = { patience: 3_000, pause: 50 } as const;
/** Callback requests with a wrong state, for one flow, before they are answered 429. */
export const wrongStateRequests = 100;
/** Authorizations for one operation, the first sign-in included (MCP step-up). */
export const authorizationsPerOperation = 3;
/** Seconds, a century; what is said to live longer is taken to live that long. */
export const longestLifetime = 3_155_760_000;
/** Seconds to wait after a 429 or 503; `fallback` (with jitter) when the server names no usable time. */
export const retryAfter = { shortest: 1, longest: 3_600, fallback: 30 } as const;

/** Milliseconds that one keychain call may take: an unlock prompt waits for a person. */
export const keychainTimeout = 60_000;
/** Characters; Windows holds 2 560 bytes an entry. */
export const keychainValueLength = 2_048;
/** Milliseconds to wait for a lock that another process holds; a token request under it may take 30 s. */
export const lockPatience = 120_000;
/** Milliseconds for which those who wait for a lock keep their order. */
export const lockCourtesy = 1_000;
/**
 * Of the import of a list: servers that it asks at once, names that it looks up at once, milliseconds after which it
 * writes what it has by then. A name that takes `slow` milliseconds was asked for again: from then on one is looked up
 * every `gap` milliseconds.
 */
export const importing = { atOnce: 8, lookups: 16, write: 10_000, slow: 4_000, gap: 50 } as const;
/** Changes of the settings file that are written together. */
export const changesAtOnce = 1_000;
/** Bytes of our own files; larger ones are not ours. */
export const fileBytes = { settings: 8 * 1024 * kibibyte, vault: 64 * 1024 * kibibyte, window: 64 * kibibyte } as const;

/** Values that a trace hides and looks for wherever a server may repeat them. */
export const traceSecrets = 2_000;

/** Bytes after which the log starts a new file; one older file is kept. */
export const logFileBytes = 1_024 * kibibyte;
/** Characters of one value in the log. */
export const logTextLength = 200;
/** Milliseconds after an unknown outcome for which a refresh token is sent by itself only where a GET is answered. */
export const silenceRespected = 3_600_000;
/**
 * Milliseconds between tries of a refresh that fails; `afterRequest` when a server may have seen it. `afterRefusal`:
 * the longest where it was refused, or where the renewed token was.
 */
export const refreshBackOff = {
  first: 1_000,
  longest: 300_000,
  afterRequest: 30_000,
  afterRefusal: 3_600_000,
} as const;
/** Milliseconds that a request waits for a refresh while its access token lives; then it goes on with that one. */
export const refreshPatience = 2_000;
/** Refreshes in the background at one time: many integrations come due together after sleep. */
export const refreshesAtOnce = 4;
/** Tries to store the tokens of a refresh, and milliseconds between them: without those tokens the sign-in is lost. */
export const saveAttempts = { count: 3, pause: 500 } as const;
/** Milliseconds after which the background looks again at what other processes and the clocks have done. */
export const refreshReview = 900_000;
/** Services that are told of a sign-in's end at one time, when everything is deleted. */
export const revocationsAtOnce = 4;
/** Milliseconds over which refreshes that all want to begin now are spread (after sleep, back online). */
export const refreshSpread = 2_000;
/** Levels of one message of an MCP server; what `toolInputDepth` lets out may come back. */
export const mcpDepth = 512;
/** Of all pages of one listing of an MCP server: entries, characters; and levels of one entry. */
export const mcpListing = { entries: 5_000, size: 6 * 1_024 * kibibyte, depth: 64 } as const;
/** Of one listing or result: parts that are named because nobody can use them. */
export const mostUnusableParts = 100;
/** Of one message of an MCP server: values, which cost many times their text; bytes of its questions and progress. */
export const mcpMessage = { nodes: 100_000, questionBytes: 16 * kibibyte, progressBytes: 4 * kibibyte } as const;
/** Bytes of a refusal's body that are looked at, and of what follows an answer before its connection is closed. */
export const refusalBytes = 64 * kibibyte;
export const leftoverBytes = 64 * kibibyte;
/** Milliseconds that the end of a connection waits for a cancellation to get to the server. */
export const cancellationTime = 2_000;
/** Of one request's stream: times that the rest is asked for without anything new, failures in a row, milliseconds before each. */
export const resumption = { times: 60, failures: 3, pause: { shortest: 50, usual: 1_000, longest: 30_000 } } as const;

/** Characters of one call from a window, as JSON. */
export const ipcInputLength = 2 * 1_024 * kibibyte;
/** Characters that are typed or piped in and not used yet. */
export const stdinLength = 2 * 1_024 * kibibyte;
/** Milliseconds between two looks for a newer version of the program, and between two notices about one integration. */
export const updateInterval = 86_400_000;
export const noticeInterval = 600_000;
/** Names of scopes in an error: how many, and characters of each. */
export const shownScopes = { count: 20, length: 80 } as const;
/** Of a message that passes through: bytes, values, bytes of one stream; milliseconds until its answer is due. */
export const gatewayMessage = {
  size: 16 * 1_024 * kibibyte,
  nodes: 1_000_000,
  stream: Number.MAX_SAFE_INTEGER,
  /** Bytes that the values of one take which are built and stay: of few values, or short ones. */
  built: 32 * kibibyte,
  /** A tool may take an hour; programs give up by themselves. */
  deadline: 6 * 3_600_000,
  versionLength: 64,
} as const;
/**
 * Bytes that messages may take: those of one app that wait for servers, those of all apps, and all of them together with
 * those that are read, either way; of one app for short ones; what is short, and what each takes beside its text.
 */
export const messageBudget = {
  app: 32 * 1_024 * kibibyte,
  requests: 96 * 1_024 * kibibyte,
  all: 128 * 1_024 * kibibyte,
  forShort: 1_024 * kibibyte,
  short: 64 * kibibyte,
  each: 8 * kibibyte,
} as const;
/** Of sessions of programs; times in milliseconds. */
export const gatewaySession = {
  sessions: 200,
  sessionsOfProgram: 50,
  /** Requests at once, and those that wait behind them. */
  atOnce: 64,
  waiting: 1_000,
  /** Notifications and answers at once that a server has not taken: it takes one at once. */
  tellingAtOnce: 16,
  /** How long a server has to take a notification or an answer. */
  telling: 60_000,
  /** Of the server: questions without an answer; messages that wait for a program to listen by HTTP, bytes of all. */
  questions: 100,
  unheard: { count: 100, size: 1_024 * kibibyte },
  /** After which an answer by HTTP begins that has not come; when to come back to one that broke off, and until when. */
  silence: 10_000,
  cutOff: { retry: 500, longest: 60_000 },
  /** After which what is known of the server is answered in its place; for a call, where it was away a moment ago. */
  patience: 800,
  patienceAway: 1_500,
  /** For what a member of a collection lists, before something goes to whoever alone lists it; once. */
  addresses: 10_000,
  lookAgain: 15_000,
  /** Bytes of the first line, how long it may take, and how many may wait with theirs at the port of pipes. */
  helloSize: 4 * kibibyte,
  helloTime: 2_000,
  strangers: 64,
  /** Bytes of a message that is not whole yet and is not counted. */
  piece: 128 * kibibyte,
  /** How long a session lives that can do nothing, and how many of them there are at once. */
  refused: 60_000,
  bystanders: 200,
  /** Bytes of messages that the other side has not taken, of either; and of requests that are not answered. */
  buffer: 32 * 1_024 * kibibyte,
  /** For what is under way: of one that makes room since its last answer, and in all; of the 5 s of one that ends. */
  lastAnswers: { handOver: 5_000, inAll: 50_000, service: 2_500, window: 3_500 },
  /** Of those 5 s: after which local servers that are being ended get little time. */
  hurry: 3_500,
  /** How long another process may take to make room, in all too; between two looks; how often the same one is asked. */
  handOver: { wait: 10_000, inAll: 60_000, look: 100, asks: 20 },
} as const;
/** Bytes of the first line of a command that another process runs: more than a system takes as words. */
export const commandSocket = { request: 4 * 1_024 * kibibyte } as const;
/** Of one member of a collection: characters of the addresses that are known to be its own; templates, and parts of one. */
export const collectionClaims = { size: 512 * kibibyte, templates: 100, parts: 20 } as const;
/** Resources that an AI app of a collection hears of. */
export const collectionSubscriptions = 1_000;
/** Characters that a member of a collection may say at once in its own name. */
export const memberWords = 16 * 1_024;
/** Of one request of an older program at a newer server: times that it is asked, questions at once, milliseconds. */
export const bridgeRounds = { rounds: 8, questions: 8, pause: 250 } as const;
/** That a server may have kept within a session; bytes of the name and value of each. */
export const sessionCookies = { count: 20, size: 4 * kibibyte } as const;
/** Milliseconds that a server gets to end a session. */
export const sessionEnd = 2_000;
/** Characters of what is kept of a server for programs that start while it is away, bytes of its file. */
export const catalogueSize = 8 * 1_024 * kibibyte;
export const catalogueFile = 24 * 1_024 * kibibyte;
/** Answers in it, and characters of the question of one. */
export const catalogueEntries = 1_000;
export const catalogueKey = 1_024;
/** By HTTP: wrong secrets a minute, connections without one, and of a program; milliseconds for comments, for a head. */
export const gatewayHttp = { wrongSecrets: 20, strangers: 256, ofProgram: 256, comment: 25_000, head: 10_000 } as const;
/** Milliseconds in which no byte of a body comes that has begun. */
export const bodySilence = 30_000;
/** Of a program's configuration file: bytes, and in YAML, whose parser needs a kilobyte for each, marks of a value. */
export const programFileBytes = 4 * 1_024 * kibibyte;
export const programYamlMarks = 450_000;
/** Changes of one program that can be undone, and milliseconds that a command of its own may take. */
export const programBackups = 20;
export const programCommandTime = 20_000;
/** Programs and their calls that ask: at once, milliseconds to answer, and to a word that it waits; noes remembered; the next try. */
export const useQuestions = { count: 20, deadline: 45_000, remembered: 1_000, name: 60, kept: 64 * kibibyte } as const;
export const askedCalls = { count: 20, deadline: 45_000, progress: 10_000 } as const;
export const askedAgain = 600_000;

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
