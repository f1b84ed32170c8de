import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../../..');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly secrets?: Readonly<Record<string, string>> | string;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Action {
  readonly runs: { readonly steps: readonly Step[] };
}

const read = <File>(pattern: string): (readonly [file: string, content: File])[] =>
  globSync(pattern, { cwd: root }).map((file) => [file, parse(readFileSync(path.join(root, file), 'utf8')) as File]);

const workflows = read<Workflow>('.github/workflows/*.yml');
const jobs = workflows.flatMap(([, workflow]) => Object.values(workflow.jobs));
const steps: readonly Step[] = [
  ...jobs.flatMap((job) => [job, ...(job.steps ?? [])] as readonly Step[]),
  ...read<Action>('.github/actions/*/action.yml').flatMap(([, { runs }]) => runs.steps),
];

const mayWrite = ({ permissions = {} }: Job): boolean => Object.values(permissions).includes('write');

/** Steps that run third-party packages, build something, or mix the files of several jobs. */
function findForeign({ steps: own = [] }: Job): Step[] {
  return own.filter(
    ({ uses = '', run = '', with: options }) =>
      /\b(?:npm|npx|yarn|pnpm|cargo|make)\b/.test(run) || uses.startsWith('./') || options?.['merge-multiple'] === true,
  );
}

describe('the workflows', () => {
  it.each(workflows)('%s has read-only permissions and a time limit', (_file, workflow) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
  });

  it('pin third-party actions by commit', () => {
    const others = steps.flatMap(({ uses }) => uses ?? []).filter((name) => !name.startsWith('./'));
    expect(others).not.toEqual([]);
    expect(others.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('leave no repository token in a checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).not.toEqual([]);
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('run no third-party package and build nothing in jobs with write access', () => {
    const writing = jobs.filter(mayWrite);
    expect(writing).not.toEqual([]);
    expect(writing.flatMap(findForeign)).toEqual([]);
    // A job with write access has no secret except its own token.
    expect(JSON.stringify(writing)).not.toContain('secrets.');
  });

  it('give the update key to one job in its own environment, which installs, builds and writes nothing', () => {
    const holding = jobs.filter(({ steps: own = [] }) => JSON.stringify(own).includes('secrets.UPDATE_SIGNING_KEY'));
    expect(holding).toHaveLength(1);
    const [holder] = holding as [Job];
    expect(holder.environment).toMatch(/^[\w-]+$/);
    expect(jobs.filter((job) => job.environment?.includes(holder.environment ?? ''))).toEqual([holder]);
    expect(findForeign(holder)).toEqual([]);
    expect(mayWrite(holder)).toBe(false);
  });

  it('pass secrets by name, and only those that are used', () => {
    const calling = jobs.filter(({ secrets }) => secrets !== undefined);
    expect(calling).not.toEqual([]);
    for (const { uses = '', secrets } of calling) {
      const called = JSON.stringify(workflows.find(([file]) => uses.endsWith(path.basename(file)))?.[1]);
      const used = [...called.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
      expect(secrets).toEqual(Object.fromEntries(used.map((name) => [name, `\${{ secrets.${name} }}`])));
    }
  });

  it("run scripts on the Node that they set up, never on the runner's own", () => {
    const ready = /^actions\/setup-node@|^\.\/\.github\/actions\/prepare$/;
    const early = jobs.flatMap(({ steps: own = [] }) => {
      const first = own.findIndex(({ uses = '' }) => ready.test(uses));
      return own.slice(0, first < 0 ? own.length : first).filter(({ run = '' }) => /\b(?:node|npm|npx)\b/.test(run));
    });
    expect(early).toEqual([]);
  });

  it('insert nothing into a script that could change its text', () => {
    expect(steps.flatMap(({ run }) => run ?? []).filter((run) => run.includes('${{'))).toEqual([]);
  });
});
