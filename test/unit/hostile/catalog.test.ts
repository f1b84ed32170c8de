import { describe, expect, it } from 'vitest';
import { catalog } from '../../hostile/catalog.ts';
import { readTestTitles } from '../../hostile/test-titles.ts';

const idForm = /\b(?:MD|NW|RG|AZ|TK|RF|KC|CF|IP|PK|PB|GW|PM|OT|MR|IC|DP|EL|DG|JA|EM|LS|PU)-\d{2}\b/g;
const named = readTestTitles().flatMap(({ file, title }) =>
  [...title.matchAll(idForm)].map(([id]) => ({ id, file, title })),
);

describe('the catalog of hostile cases', () => {
  it.each(Object.entries(catalog))('has a test that names %s', (id, { runsOn }) => {
    expect(named.filter((title) => title.id === id).map(({ file }) => file)).not.toEqual([]);
    if (runsOn) expect(runsOn.because).toMatch(/\.$/);
  });

  it('contains every case that a title names', () => {
    const unknown = named.filter(({ id }) => !(id in catalog));
    expect(unknown.map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
  });

  it('runs everywhere, except for what only another system, a package or a release has', () => {
    const elsewhere = Object.entries(catalog).filter(([, { runsOn }]) => runsOn !== undefined);
    expect(elsewhere.map(([id]) => id).filter((id) => !/^(?:PK|KC)-/.test(id))).toEqual([]);
  });
});
