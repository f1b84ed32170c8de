import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../hostile/catalogue.ts';
import { readTestTitles } from '../../hostile/test-titles.ts';

const idForm = /\b(?:MD|NW|RG|AZ|TK|RF|KC|CF|IP|PK|PB)-\d{2}\b/g;
const named = readTestTitles().flatMap(({ file, title }) =>
  [...title.matchAll(idForm)].map(([id]) => ({ id, file, title })),
);

describe('the catalogue of hostile cases', () => {
  it('finds titles, those of parametrised tests and of groups too', () => {
    expect(named.length).toBeGreaterThan(200);
    expect(named.map(({ title }) => title)).toContain('certificates (NW-16)');
    expect(named.some(({ title }) => title.includes('%s'))).toBe(true);
  });

  it.each(Object.entries(catalogue))('has for %s a test that names it', (id, { provenIn, runsOn }) => {
    const files = new Set(named.filter((title) => title.id === id).map(({ file }) => file));
    expect(provenIn).not.toEqual([]);
    // More files may name it than those that are listed.
    expect(provenIn.filter((file) => !files.has(file))).toEqual([]);
    if (runsOn) expect(runsOn.because).toMatch(/\.$/);
  });

  it('knows every case that a title names', () => {
    const strangers = named.filter(({ id }) => !(id in catalogue));
    expect(strangers.map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
  });

  it('can be shown everywhere but for what only another system, a package or a release has', () => {
    const elsewhere = Object.entries(catalogue).filter(([, { runsOn }]) => runsOn !== undefined);
    expect(elsewhere.map(([id]) => id).filter((id) => !/^(?:PK|KC)-/.test(id))).toEqual([]);
  });

  it('has a workflow that runs what is skipped without an installed program', () => {
    const workflow = readFileSync(join(import.meta.dirname, '../../../.github/workflows/package.yml'), 'utf8');
    const systems = workflow.split(/^ {6}- name: /m).filter((step) => step.includes('npm run test:installed'));
    expect(systems.map((step) => step.split(',')[0])).toEqual(['Linux', 'macOS', 'Windows']);
    for (const step of systems) expect(step).toContain('POSTERN_INSTALLED=');
  });
});
