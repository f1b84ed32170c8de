import { writeFileSync } from 'node:fs';
import { followSignIn } from './scripted-person.ts';

/** `$BROWSER` of the tests: writes down what it was started with (the file is its first argument), then signs in. */
const [file = '', url = ''] = process.argv.slice(2);
writeFileSync(file, JSON.stringify({ argv: process.argv, env: process.env }));
await followSignIn(url, new AbortController().signal);
