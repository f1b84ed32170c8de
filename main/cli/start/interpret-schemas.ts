import { config } from 'zod';

/**
 * Loaded before the first schema is made. A command reads each kind of document once or twice: compiling a parser for
 * it, as zod does by default for a program that stays, costs more than it saves.
 */
config({ jitless: true });
