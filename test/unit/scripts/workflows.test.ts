import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly Step[];
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly permissions?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, { readonly inputs?: Readonly<Record<string, unknown>> } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(
  (file) => [file, parse(read(file)) as Workflow] as const,
);
const actions = globSync('.github/actions/*/action.yml', { cwd: root }).map(
  (file) => [file, parse(read(file)) as Action] as const,
);
const steps = [
  ...workflows.flatMap(([file, workflow]) =>
    Object.values(workflow.jobs).flatMap((job) =>
      (job.steps ?? []).map((step) => ({
        file,
        step,
        shell: step.shell ?? job.defaults?.run?.shell ?? workflow.defaults?.run?.shell ?? 'bash',
      })),
    ),
  ),
  ...actions.flatMap(([file, { runs }]) => runs.steps.map((step) => ({ file, step, shell: step.shell ?? 'none' }))),
];
const scripts = steps.flatMap(({ file, step, shell }) =>
  step.run === undefined ? [] : [{ file, shell, run: step.run }],
);
const { scripts: npmScripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('the workflows', () => {
  it('are there', () => {
    expect(workflows.map(([file]) => path.basename(file)).toSorted()).toEqual([
      'check.yml',
      'package.yml',
      'release.yml',
      'supply.yml',
    ]);
    expect(scripts.length).toBeGreaterThan(10);
  });

  it.each(workflows)('%s has the form of a workflow', (_file, { name, on, permissions, jobs }) => {
    expect(name).toMatch(/^[A-Z]/);
    expect(Object.keys(on).length).toBeGreaterThan(0);
    // What is not asked for is not given.
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) {
      expect(job['runs-on'] === undefined).toBe(job.uses !== undefined);
      // One that hangs must not cost six hours.
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      for (const needed of [job.needs ?? []].flat()) expect(Object.keys(jobs)).toContain(needed);
      for (const step of job.steps ?? []) expect(step.uses === undefined).toBe(step.run !== undefined);
    }
  });

  it('use nothing of others but by its commit', () => {
    const uses = steps.flatMap(({ file, step }) => (step.uses === undefined ? [] : [[file, step.uses] as const]));
    expect(uses.filter(([, name]) => !/^(?:\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40}$)/.test(name))).toEqual([]);
    for (const [, name] of uses.filter(([, each]) => each.startsWith('./')))
      expect(existsSync(path.join(root, name, 'action.yml'))).toBe(true);
  });

  it('call workflows and actions that are there, with inputs that they have', () => {
    for (const [, { jobs }] of workflows) {
      for (const job of Object.values(jobs)) {
        if (job.uses === undefined) continue;
        const called = workflows.find(([file]) => `./${file}` === job.uses)?.[1];
        expect(called?.on).toHaveProperty('workflow_call');
        const inputs = Object.keys(called?.on['workflow_call']?.inputs ?? {});
        expect(inputs).toEqual(expect.arrayContaining(Object.keys(job.with ?? {})));
      }
    }
    for (const { step } of steps.filter((each) => each.step.uses?.startsWith('./'))) {
      const action = actions.find(([file]) => `./${path.posix.dirname(file)}` === step.uses)?.[1];
      expect(Object.keys(action?.inputs ?? {})).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    }
  });

  it('have scripts that a shell can read', () => {
    const faulty = scripts
      .filter(({ shell }) => shell === 'bash')
      .flatMap(({ file, run }) => {
        const text = run.replaceAll(/\$\{\{.*?\}\}/gs, 'value');
        const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
        return status === 0 ? [] : [`${file}: ${stderr}`];
      });
    expect(faulty).toEqual([]);
    expect(new Set(scripts.map(({ shell }) => shell))).toEqual(new Set(['bash']));
  });

  it('put nothing into a script that its text could change', () => {
    expect(scripts.filter(({ run }) => run.includes('${{')).map(({ file, run }) => `${file}: ${run}`)).toEqual([]);
  });

  it('name scripts, parts of the tests and files that are there', () => {
    const lines = scripts.flatMap(({ run }) => run.split('\n'));
    const wanted = lines.flatMap((line) =>
      [...line.matchAll(/\bnpm (?:run ([\w:-]+)|(test)\b)/g)].map((m) => m[1] ?? m[2]),
    );
    expect(wanted.length).toBeGreaterThan(4);
    expect(wanted.filter((name) => npmScripts[name ?? ''] === undefined)).toEqual([]);
    const files = lines.flatMap((line) => line.match(/\b(?:scripts|test|bin)\/[\w./-]+\.(?:ts|sh|js)\b/g) ?? []);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const parts = lines.flatMap((line) => /npm test -- ([\w ]+)/.exec(line)?.[1]?.trim().split(' ') ?? []);
    const known = [...read('scripts/test.ts').matchAll(/(?:vitest\(|name: )'([\w-]+)'/g)].map(([, name]) => name);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((part) => !known.includes(part))).toEqual([]);
  });

  it('ask for secrets and variables that docs/releasing.md tells of', () => {
    const names = workflows.flatMap(([file]) =>
      [...read(file).matchAll(/\b(?:secrets|vars)\.([A-Z_]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(new Set(names).size).toBeGreaterThan(8);
    const told = read('docs/releasing.md');
    expect([...new Set(names)].filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});
