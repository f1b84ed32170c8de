/** hold-lock.ts FOLDER NAME: holds the lock until it is killed; prints "held" once it has it. */
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';

const [folder = '', name = ''] = process.argv.slice(2);
await createLocks(folder).hold(name, async () => {
  console.log('held');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
