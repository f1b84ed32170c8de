import { registerHooks } from 'node:module';

// Preloaded into a process: prints the address of every module that it loads to standard error.
registerHooks({
  load(url, context, nextLoad) {
    process.stderr.write(`${url}\n`);
    return nextLoad(url, context);
  },
});
