import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../../../main/cli/output/output.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { Secret } from '../../../../../main/secret.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';

function open(json: boolean) {
  const stdout = recordedSink();
  const stderr = recordedSink();
  return { stdout, stderr, output: createOutput({ json, stdout, stderr }) };
}

describe('createOutput', () => {
  it('writes one object per line, and nothing else, with --json', () => {
    const { output, stdout, stderr } = open(true);
    output.event('method', { method: 'OAuth' });
    output.info('Hello');
    output.succeed({ fields: { tools: [] }, text: 'none' });
    expect(stdout.text).toBe('{"event":"method","method":"OAuth"}\n{"result":"ok","tools":[]}\n');
    expect(stderr.text).toBe('');
  });

  it('writes only the result to standard output without --json', () => {
    const { output, stdout, stderr } = open(false);
    output.event('method', { method: 'OAuth' });
    output.info('Hello');
    output.succeed({ fields: {}, text: 'none' });
    expect(stdout.text).toBe('none\n');
    expect(stderr.text).toBe('');
  });

  it('writes information at once on a terminal, and elsewhere only before a link or an error', () => {
    const { output, stderr } = open(false);
    output.info('Host');
    expect(stderr.text).toBe('');
    output.notify('Link');
    output.info('Remark');
    expect(stderr.text).toBe('Host\nLink\n');
    output.fail(new PosternError('NOT_FOUND', { stage: 'postern' }), {});
    expect(stderr.text).toMatch(/^Host\nLink\nRemark\nError: /u);
    const terminal = recordedSink({ isTerminal: true });
    createOutput({ json: false, stdout: recordedSink(), stderr: terminal }).info('Remark');
    expect(terminal.text).toBe('Remark\n');
  });

  it('writes nothing after the last line', () => {
    const { output, stdout } = open(true);
    output.fail(new PosternError('NOT_FOUND', { stage: 'postern' }), {});
    output.event('late', {});
    output.fail(new Error('late'), {});
    output.succeed({ fields: {} });
    expect(stdout.text.match(/\n/gu)).toHaveLength(1);
    expect(JSON.parse(stdout.text)).toMatchObject({ result: 'error', error: { code: 'NOT_FOUND', stage: 'postern' } });
  });

  it('names the outer code and its cause', () => {
    const cause = new PosternError('DEADLINE', { stage: 'registration' });
    const { output, stdout } = open(true);
    output.fail(new PosternError('DCR_UNSUPPORTED', { stage: 'registration', cause }), {});
    expect(JSON.parse(stdout.text).error).toMatchObject({ code: 'DCR_UNSUPPORTED', cause: 'DEADLINE' });
  });

  it('does not show the message of an unknown error', () => {
    const canary = 'canary-7f3a';
    for (const json of [true, false]) {
      const { output, stdout, stderr } = open(json);
      output.fail(new TypeError(`fetch failed: Bearer ${canary}`), {});
      expect(stdout.text + stderr.text).toContain('INTERNAL');
      expect(stdout.text + stderr.text).not.toContain(canary);
    }
  });

  it('shows what happened, the code and the next step', () => {
    const { output, stdout, stderr } = open(false);
    output.fail(
      new PosternError('CREDENTIALS_REQUIRED', { stage: 'credentials', detail: { host: 'login.example' } }),
      {},
      'Hint',
    );
    expect(stderr.text).toMatch(
      /^Error: login\.example .*\n {7}\(CREDENTIALS_REQUIRED in credentials\)\nNext: {2}.*\nHint\n$/u,
    );
    expect(stdout.text).toBe('');
  });

  it('never writes a secret by accident', () => {
    const { output, stdout } = open(true);
    output.succeed({ fields: { token: new Secret('canary') } });
    expect(stdout.text).toBe('{"result":"ok","token":"[secret]"}\n');
  });

  it('still writes a last line if the result cannot be serialized', () => {
    const { output, stdout } = open(true);
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    expect(() => output.succeed({ fields: endless })).toThrow(TypeError);
    output.fail(new PosternError('INTERNAL', { stage: 'postern' }), {});
    expect(JSON.parse(stdout.text)).toMatchObject({ result: 'error', error: { code: 'INTERNAL' } });
  });
});
