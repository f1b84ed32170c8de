/** write-integrations.ts FOLDER PREFIX COUNT: writes integrations PREFIX-0 … one by one; CFG_ codes are printed. */
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { openIntegrationStore } from '../../../main/storage/settings/integration-store.ts';
import { anIntegration } from '../an-integration.ts';

// If a file size limit simulates a full disk, the write must fail, not the process.
process.on('SIGXFSZ', () => {});
const [folder = '', prefix = '', count = ''] = process.argv.slice(2);
const store = openIntegrationStore({ folder, locks: createLocks(folder) });
try {
  for (let index = 0; index < Number(count); index += 1) await store.write(anIntegration({ id: `${prefix}-${index}` }));
  console.log('done');
} catch (error) {
  console.log((error as { code: string }).code);
}
