import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A program as it lies on a machine after its installer, or as electron-builder leaves it unpacked. */
export interface InstalledProgram {
  readonly executable: string;
  /** Words in front of those of a command. */
  readonly command: readonly string[];
  readonly resources: string;
  /** What AI programs start. */
  readonly pipe: string;
}

/** `place`: the folder that it was installed to; on macOS the `.app`. */
export function findInstalledProgram(place: string, platform: NodeJS.Platform): InstalledProgram {
  const found = layout(path.resolve(place), platform);
  for (const file of [found.executable, path.join(found.resources, 'app.asar')]) {
    if (!existsSync(file)) throw new Error(`There is no ${file}: ${readdirSync(place).join(', ')}`);
  }
  return found;
}

function layout(place: string, platform: NodeJS.Platform): InstalledProgram {
  if (platform === 'darwin') {
    const resources = path.join(place, 'Contents/Resources');
    return {
      executable: path.join(place, 'Contents/MacOS/Postern'),
      command: [path.join(resources, 'bin/postern')],
      resources,
      pipe: path.join(resources, 'bin/postern-pipe'),
    };
  }
  const resources = path.join(place, 'resources');
  if (platform === 'win32') {
    const executable = path.join(place, 'Postern.exe');
    // No console of its own; what it prints goes to whoever started it with pipes.
    const pipe = path.join(resources, 'bin/postern-pipe.exe');
    return { executable, command: [executable, '--cli', '--'], resources, pipe };
  }
  return {
    executable: path.join(place, 'postern'),
    command: [path.join(resources, 'bin/postern')],
    resources,
    pipe: path.join(resources, 'bin/postern-pipe'),
  };
}
