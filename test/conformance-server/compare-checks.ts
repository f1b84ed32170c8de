import type { KnownDifference } from './known-difference.ts';
import type { Check } from './suite-run.ts';

/** The judged part of a run: notes are about this run only. */
const verdicts = (checks: readonly Check[]): readonly Check[] => checks.filter(({ status }) => status !== 'INFO');

const isFault = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING';

/** What a scenario found wrong. One that checked nothing is wrong too. */
export function faultsOf(checks: readonly Check[]): readonly string[] {
  if (!checks.some(({ status }) => status === 'SUCCESS')) return ['nothing was checked'];
  return checks.filter(isFault).map(describeCheck);
}

/** Unexpected differences from the direct run, and expected ones that did not occur. */
export function unknownDifferences(
  direct: readonly Check[],
  through: readonly Check[],
  known: KnownDifference | undefined,
): readonly string[] {
  const names = new Set([...verdicts(direct), ...verdicts(through)].map(({ name }) => name));
  const different = [...names].filter((name) => statusesOf(direct, name) !== statusesOf(through, name));
  const expected = known?.checks ?? [];
  return [
    ...different
      .filter((name) => !expected.includes(name))
      .map((name) => {
        const own = verdicts(through).filter((check) => check.name === name);
        return own.length === 0 ? `${name}: missing` : own.map(describeCheck).join('; ');
      }),
    ...expected.filter((name) => !different.includes(name)).map((name) => `${name}: goes as directly, but is named`),
  ];
}

function statusesOf(checks: readonly Check[], name: string): string {
  const own = verdicts(checks).filter((check) => check.name === name);
  return own.map(({ id, status }) => `${id} ${status}`).join();
}

function describeCheck({ name, status, errorMessage = '' }: Check): string {
  return `${name}: ${status} ${errorMessage}`;
}
