/** take-turns.ts FOLDER ID COUNT: takes the lock COUNT times, as fast as it can; prints ID each time inside it. */
import { appendFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';

const [folder = '', id = '', count = ''] = process.argv.slice(2);
const locks = createLocks(folder);
const log = path.join(folder, 'turns');
/** As long as a real holder's work: a file is flushed to the disk. */
async function saveSomething(): Promise<void> {
  const handle = await open(path.join(folder, `work-${id}`), 'w');
  await handle.writeFile('x'.repeat(10_000));
  await handle.sync();
  await handle.close();
}

console.log('ready');
// The holder of this lock makes all of them start together.
await locks.hold('start', async () => {});
for (let turn = 0; turn < Number(count); turn += 1) {
  await locks.hold('turns', async () => {
    appendFileSync(log, `+${id}\n`);
    await saveSomething();
    appendFileSync(log, `-${id}\n`);
  });
}
