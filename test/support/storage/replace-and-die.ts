/** replace-and-die.ts FILE STEP: replaces the contents of FILE and kills itself just before STEP. */
import { replaceFile } from '../../../main/storage/files/replace-file.ts';

const [file = '', fatal = ''] = process.argv.slice(2);
await replaceFile(file, Buffer.from('new '.repeat(5_000)), (step) => {
  if (step === fatal) process.kill(process.pid, 'SIGKILL');
});
console.log('done');
