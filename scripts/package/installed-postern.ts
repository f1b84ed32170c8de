import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Postern as its installer puts it on a machine, or as electron-builder leaves it unpacked. */
export interface InstalledPostern {
  readonly executable: string;
  /** Words that precede a command's own. */
  readonly command: readonly string[];
  readonly resources: string;
  /** The executable that AI apps start. */
  readonly pipe: string;
}

/** `place`: the installation folder, or the `.app` on macOS. */
export function findInstalledPostern(installation: string, platform: NodeJS.Platform): InstalledPostern {
  const found = layout(path.resolve(installation), platform);
  for (const file of [found.executable, path.join(found.resources, 'app.asar')]) {
    if (!existsSync(file)) throw new Error(`There is no ${file}: ${readdirSync(installation).join(', ')}`);
  }
  return found;
}

function layout(installation: string, platform: NodeJS.Platform): InstalledPostern {
  if (platform === 'darwin') {
    const resources = path.join(installation, 'Contents/Resources');
    return {
      executable: path.join(installation, 'Contents/MacOS/Postern'),
      command: [path.join(resources, 'bin/postern')],
      resources,
      pipe: path.join(resources, 'bin/postern-pipe'),
    };
  }
  const resources = path.join(installation, 'resources');
  if (platform === 'win32') {
    const executable = path.join(installation, 'Postern.exe');
    // It has no console; its output goes to the pipes of its parent process.
    const pipe = path.join(resources, 'bin/postern-pipe.exe');
    return { executable, command: [executable, '--cli', '--'], resources, pipe };
  }
  return {
    executable: path.join(installation, 'postern'),
    command: [path.join(resources, 'bin/postern')],
    resources,
    pipe: path.join(resources, 'bin/postern-pipe'),
  };
}
