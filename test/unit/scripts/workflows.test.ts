import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../../..');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly 'timeout-minutes'?: number;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps?: readonly Step[];
      }
    >
  >;
}

interface Action {
  readonly runs: { readonly steps: readonly Step[] };
}

const read = <File>(pattern: string): (readonly [file: string, content: File])[] =>
  globSync(pattern, { cwd: root }).map((file) => [file, parse(readFileSync(path.join(root, file), 'utf8')) as File]);

const workflows = read<Workflow>('.github/workflows/*.yml');
const steps: readonly Step[] = [
  ...workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => [job, ...(job.steps ?? [])])),
  ...read<Action>('.github/actions/*/action.yml').flatMap(([, { runs }]) => runs.steps),
];

describe('the workflows', () => {
  it.each(workflows)('%s may only read, and ends: one that hangs must not cost six hours', (_file, workflow) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
  });

  it('use nothing of others but by its commit', () => {
    const others = steps.flatMap(({ uses }) => uses ?? []).filter((name) => !name.startsWith('./'));
    expect(others).not.toEqual([]);
    expect(others.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('leave the token of the repository in no checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).not.toEqual([]);
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('run no package of others, and build nothing, where something may be written', () => {
    const writing = workflows
      .flatMap(([, { jobs }]) => Object.values(jobs))
      .filter(({ permissions = {} }) => Object.values(permissions).includes('write'));
    expect(writing).not.toEqual([]);
    const run = writing.flatMap((job) => job.steps ?? []);
    expect(
      run.flatMap((step) => step.run ?? []).filter((text) => /\b(?:npm|npx|yarn|pnpm|cargo|make)\b/.test(text)),
    ).toEqual([]);
    expect(run.flatMap(({ uses }) => uses ?? []).filter((name) => name.startsWith('./'))).toEqual([]);
    // What one job made would take the place of what another one did.
    expect(run.filter((step) => step.with?.['merge-multiple'] === true)).toEqual([]);
  });

  it('put nothing into a script that its text could change', () => {
    expect(steps.flatMap(({ run }) => run ?? []).filter((run) => run.includes('${{'))).toEqual([]);
  });
});
