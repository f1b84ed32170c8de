import { runProcess } from './run-process.ts';

void runProcess({
  argv: process.argv.slice(2),
  installation: { packaged: false, channel: 'dev' },
  exit: (code) => process.exit(code),
});
