import { describe, expect, it } from 'vitest';
import { describeNextStep, describeStop } from '../../../renderer/errors/describe-next-step.ts';
import { listErrorActions } from '../../../renderer/errors/error-remedies.ts';
import { words } from '../../../renderer/words.ts';
import { describeError } from '../../../shared/error-catalogue.ts';
import { errorCodes, remedies, stages } from '../../../shared/error-codes.ts';
import { networkFaults } from '../../../shared/network-fault.ts';
import type { TraceEntry } from '../../../shared/trace.ts';

const request: TraceEntry = {
  number: 1,
  purpose: 'token',
  method: 'POST',
  url: 'https://as.example/token',
  startedAt: 0,
  request: { headers: [], body: [] },
  rule: '',
  clause: '',
  verdict: 'stopped',
};

describe.each(errorCodes)('%s', (code) => {
  it('speaks of no command or flag in the window', () => {
    for (const remedy of [undefined, ...remedies]) {
      const plain = {
        code,
        stage: 'app' as const,
        ...describeError(code, remedy ? { remedy, host: 'a.example' } : {}),
      };
      const text = `${plain.message} ${describeNextStep({ ...plain, remedy, host: 'a.example' })}`;
      expect(text).not.toMatch(/--[a-z]|`postern|postern doctor/);
      expect(text).not.toContain('undefined');
    }
  });

  it('speaks of none where a connection failed', () => {
    for (const fault of networkFaults) {
      for (const detail of [{ fault }, { fault, proxy: 'proxy.example:3128' }]) {
        const { message, nextStep, retryable } = describeError(code, detail);
        const plain = { code, stage: 'app' as const, message, nextStep, retryable, fault };
        expect(`${message} ${describeNextStep(plain)}`).not.toMatch(/--[a-z]|`postern|postern doctor|undefined/);
        expect(describeStop({ ...request, code, fault, nextStep })).not.toMatch(/--[a-z]|`postern|undefined/);
      }
    }
  });

  it('speaks of none where a sign-in stopped at a request', () => {
    const { nextStep } = describeError(code, {});
    const text = describeStop({ ...request, code, nextStep });
    expect(text).toMatch(/./);
    expect(text).not.toMatch(/--[a-z]|`postern|undefined/);
  });

  it('leads out by at least one button', () => {
    for (const remedy of [undefined, ...remedies]) expect(listErrorActions({ code, remedy }).length).toBeGreaterThan(0);
  });
});

describe('a registration that failed', () => {
  const failed = { code: 'DCR_UNSUPPORTED', stage: 'registration', message: 'm', nextStep: 'n' } as const;

  it('for a passing fault is to be tried again first, then to be done by hand', () => {
    const retryAt = new Date(2026, 0, 1, 14, 5, 30).getTime();
    expect(describeNextStep({ ...failed, retryable: true, retryAt })).toMatch(
      /^Try again after 14:05:30\. If it stays so: Create an OAuth app/u,
    );
    expect(describeNextStep({ ...failed, retryable: true })).toMatch(/^Try again later\. If it stays so: Create/u);
  });

  it('for good is to be done by hand', () => {
    expect(describeNextStep({ ...failed, retryable: false })).toMatch(/^Create an OAuth app/u);
  });
});

describe('stages', () => {
  it('says of every stage what that means (spec 7)', () => {
    expect(Object.keys(words.errors.stages).toSorted()).toEqual([...stages].toSorted());
    expect(words.errors.stages.discovery).toContain('no sign-in page was opened');
  });
});
