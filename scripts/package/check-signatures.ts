// `npx node scripts/package/check-signatures.ts <packages>…`: fails where one is not signed as its system wants
// (PK-05). A release stops there.
import { spawnSync } from 'node:child_process';

interface Tool {
  /** What it shows, as a sentence's end. */
  readonly shows: string;
  readonly words: readonly string[];
  /** Whether its answer is a yes, where its exit code alone is not. */
  readonly isFine?: (stdout: string) => boolean;
}

/** Milliseconds: the system may ask its maker. */
const patience = 120_000;

const tools: Readonly<Partial<Record<NodeJS.Platform, (file: string) => readonly Tool[]>>> = {
  darwin: (app) => [
    { shows: 'signed, whole', words: ['codesign', '--verify', '--deep', '--strict', '--verbose=2', app] },
    { shows: 'let in by Gatekeeper', words: ['spctl', '--assess', '--type', 'execute', '--verbose=2', app] },
    { shows: 'notarized, with the ticket attached', words: ['xcrun', 'stapler', 'validate', app] },
  ],
  win32: () => [
    {
      shows: 'signed, with a time stamp',
      // The file's name comes by a variable: no word of it is read as a script.
      words: [
        'powershell',
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        "$s = Get-AuthenticodeSignature -LiteralPath $env:POSTERN_SIGNED_FILE; '{0} {1}' -f $s.Status, ($null -ne $s.TimeStamperCertificate)",
      ],
      isFine: (stdout) => stdout.trim() === 'Valid True',
    },
  ],
};

/** What this system finds wrong with the signature of a program or installer; empty when it is as it has to be. */
export function findSignatureFaults(file: string, platform: NodeJS.Platform): string[] {
  // Linux knows no signature of programs; there the signed list of a release has their hashes.
  return (tools[platform]?.(file) ?? []).flatMap(({ shows, words, isFine = () => true }) => {
    const [tool = '', ...more] = words;
    const env = { ...process.env, POSTERN_SIGNED_FILE: file };
    const { status, stdout, stderr, error } = spawnSync(tool, more, { env, encoding: 'utf8', timeout: patience });
    if (status === 0 && isFine(stdout)) return [];
    return [`${file} is not ${shows}: ${error?.message ?? `${stdout}${stderr}`.trim()}`];
  });
}

if (import.meta.main) {
  const files = process.argv.slice(2);
  if (files.length === 0) throw new Error('Say what was packaged');
  const faults = files.flatMap((file) => findSignatureFaults(file, process.platform));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
