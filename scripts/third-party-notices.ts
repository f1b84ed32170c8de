import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Adds the folder of each bundled package to `folders`. */
export function collectThirdParties(folders: Set<string>): Plugin {
  return {
    name: 'note-third-parties',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      }
    },
  };
}

/** Writes the names, versions and licenses of these packages, as most licenses require for redistribution. */
export function writeThirdPartyNotices(folders: ReadonlySet<string>, file: string): void {
  const notices = [...folders].map(describePackage).toSorted((a, b) => (a < b ? -1 : 1));
  writeFileSync(file, `Postern contains the following software.\n\n${notices.join('\n')}`);
}

function describePackage(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const texts = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]\w+)?$/i.test(name));
  const words = texts.map((name) => readFileSync(join(folder, name), 'utf8').trim());
  const text = words.length > 0 ? words.join('\n\n') : `License: ${manifest['license'] ?? 'not stated'}`;
  return `${manifest['name']} ${manifest['version']}\n${'-'.repeat(60)}\n${text}\n`;
}
