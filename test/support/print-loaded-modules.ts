import { registerHooks } from 'node:module';

// Preloaded into a process: prints the URL of every loaded module to standard error.
registerHooks({
  load(url, context, nextLoad) {
    process.stderr.write(`${url}\n`);
    return nextLoad(url, context);
  },
});
