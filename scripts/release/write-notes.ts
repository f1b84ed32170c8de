// `npx node scripts/release/write-notes.ts v1.2.3`: prints this version's section of CHANGELOG.md and how to verify a
// download.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const verification = `
## Verify a download

\`checksums.txt\` lists every file; \`checksums.txt.sig\` is the publisher's signature over it, which Postern itself checks before an update. \`gh attestation verify FILE --repo REPOSITORY\` shows from which commit a file was built.
`;

/** The section of a version, from its heading to the next one. */
export function writeNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => /^\S+/.exec(text)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  return `${section.slice(section.indexOf('\n')).trim()}\n${verification}`;
}

if (import.meta.main) {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  process.stdout.write(writeNotes(changelog, (process.argv[2] ?? '').replace(/^v/, '')));
}
