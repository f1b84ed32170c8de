import { completeSignIn } from './scripted-browser.ts';

/** A browser for `$BROWSER` whose user signs in as `DEMO_USER` and allows, or denies with `DEMO_DENY`. */
const user = process.env['DEMO_USER'];
await completeSignIn(process.argv.at(-1) ?? '', {
  ...(user !== undefined && { user }),
  deny: process.env['DEMO_DENY'] !== undefined,
});
