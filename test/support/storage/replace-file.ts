/** replace-file.ts FILE BYTES: replaces FILE with that many bytes; prints "done" or the error code. */
import { replaceFile } from '../../../main/storage/files/replace-file.ts';

const [file = '', bytes = ''] = process.argv.slice(2);
console.log(
  await replaceFile(file, Buffer.alloc(Number(bytes), 'n')).then(
    () => 'done',
    (error: { code: string }) => error.code,
  ),
);
