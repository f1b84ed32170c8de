import { spawn } from 'node:child_process';

/** Opens a URL, file or folder with the system's opener. Returns the error, or ''. */
export function openWithSystem(what: string): Promise<string> {
  const [file = '', ...rest] = opener();
  return new Promise((resolve) => {
    const child = spawn(file, [...rest, what], { stdio: 'ignore', detached: true });
    child.once('error', (error) => resolve(error.message));
    child.once('spawn', () => {
      child.unref();
      resolve('');
    });
  });
}

function opener(): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
