// `npx node scripts/package/check-signatures.ts <packages>…`: fails if a package is not signed as its system requires
// (PK-05), which stops a release.
import { spawnSync } from 'node:child_process';

interface Tool {
  /** What the tool proves, as the end of a sentence. */
  readonly proves: string;
  readonly words: readonly string[];
  /** Checks the output, for tools whose exit code alone proves nothing. */
  readonly isFine?: (stdout: string) => boolean;
}

/** Milliseconds. The system may contact its vendor. */
const toolTimeout = 120_000;

const tools: Readonly<Partial<Record<NodeJS.Platform, (file: string) => readonly Tool[]>>> = {
  darwin: (app) => [
    { proves: 'signed and intact', words: ['codesign', '--verify', '--deep', '--strict', '--verbose=2', app] },
    { proves: 'accepted by Gatekeeper', words: ['spctl', '--assess', '--type', 'execute', '--verbose=2', app] },
    { proves: 'notarized, with the ticket attached', words: ['xcrun', 'stapler', 'validate', app] },
  ],
  win32: () => [
    {
      proves: 'signed with a time stamp',
      // The file name is passed in a variable, so that none of it is parsed as script.
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

/** What this system reports about the signature of an executable or installer; empty if it is valid. */
export function findSignatureFaults(file: string, platform: NodeJS.Platform): string[] {
  // Linux has no executable signatures; the release's signed checksum list covers those files.
  return (tools[platform]?.(file) ?? []).flatMap(({ proves, words, isFine = () => true }) => {
    const [tool = '', ...more] = words;
    const env = { ...process.env, POSTERN_SIGNED_FILE: file };
    const { status, stdout, stderr, error } = spawnSync(tool, more, { env, encoding: 'utf8', timeout: toolTimeout });
    if (status === 0 && isFine(stdout)) return [];
    return [`${file} is not ${proves}: ${error?.message ?? `${stdout}${stderr}`.trim()}`];
  });
}

if (import.meta.main) {
  const files = process.argv.slice(2);
  if (files.length === 0) throw new Error('Name the packages to check');
  const faults = files.flatMap((file) => findSignatureFaults(file, process.platform));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
