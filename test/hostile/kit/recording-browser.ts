import { writeFileSync } from 'node:fs';
import { followSignIn } from './follow-sign-in.ts';

/** `$BROWSER` of the tests: writes its arguments to a file (the first argument), then signs in. */
const [file = '', url = ''] = process.argv.slice(2);
writeFileSync(file, JSON.stringify({ argv: process.argv, env: process.env }));
await followSignIn(url, new AbortController().signal);
