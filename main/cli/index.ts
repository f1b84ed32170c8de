import { runProcess } from './run-process.ts';

await runProcess(process.argv.slice(2), (code) => process.exit(code));
