import { runProcess } from './run-process.ts';

await runProcess({
  argv: process.argv.slice(2),
  installation: { packaged: false, channel: 'dev' },
  exit: (code) => process.exit(code),
});
