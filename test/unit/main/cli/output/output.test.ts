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
  it('writes one object a line, and nothing else, with --json', () => {
    const { output, stdout, stderr } = open(true);
    output.event('method', { method: 'OAuth' });
    output.say('Hello');
    output.succeed({ fields: { tools: [] }, text: 'none' });
    expect(stdout.text).toBe('{"event":"method","method":"OAuth"}\n{"result":"ok","tools":[]}\n');
    expect(stderr.text).toBe('');
  });

  it('writes the answer alone on standard output for a person', () => {
    const { output, stdout, stderr } = open(false);
    output.event('method', { method: 'OAuth' });
    output.say('Hello');
    output.succeed({ fields: {}, text: 'none' });
    expect(stdout.text).toBe('none\n');
    expect(stderr.text).toBe('');
  });

  it('says on a terminal at once, and elsewhere in failure alone, what only a person wants to know', () => {
    const { output, stderr } = open(false);
    output.say('Host');
    expect(stderr.text).toBe('');
    output.tell('Link');
    output.say('Remark');
    expect(stderr.text).toBe('Host\nLink\n');
    output.fail(new PosternError('NOT_FOUND', { stage: 'app' }), {});
    expect(stderr.text).toMatch(/^Host\nLink\nRemark\nError: /u);
    const terminal = recordedSink({ isTerminal: true });
    createOutput({ json: false, stdout: recordedSink(), stderr: terminal }).say('Remark');
    expect(terminal.text).toBe('Remark\n');
  });

  it('has one last line, whatever comes after it', () => {
    const { output, stdout } = open(true);
    output.fail(new PosternError('NOT_FOUND', { stage: 'app' }), {});
    output.event('late', {});
    output.fail(new Error('late'), {});
    output.succeed({ fields: {} });
    expect(stdout.text.match(/\n/gu)).toHaveLength(1);
    expect(JSON.parse(stdout.text)).toMatchObject({ result: 'error', error: { code: 'NOT_FOUND', stage: 'app' } });
  });

  it('names the outer code and its cause', () => {
    const cause = new PosternError('DEADLINE', { stage: 'registration' });
    const { output, stdout } = open(true);
    output.fail(new PosternError('DCR_UNSUPPORTED', { stage: 'registration', cause }), {});
    expect(JSON.parse(stdout.text).error).toMatchObject({ code: 'DCR_UNSUPPORTED', cause: 'DEADLINE' });
  });

  it('shows nothing of an error that is not ours', () => {
    const canary = 'canary-7f3a';
    for (const json of [true, false]) {
      const { output, stdout, stderr } = open(json);
      output.fail(new TypeError(`fetch failed: Bearer ${canary}`), {});
      expect(stdout.text + stderr.text).toContain('INTERNAL');
      expect(stdout.text + stderr.text).not.toContain(canary);
    }
  });

  it('tells a person what happened, its code and what to do', () => {
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

  it('still has a last line where the answer cannot be written', () => {
    const { output, stdout } = open(true);
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    expect(() => output.succeed({ fields: endless })).toThrow(TypeError);
    output.fail(new PosternError('INTERNAL', { stage: 'app' }), {});
    expect(JSON.parse(stdout.text)).toMatchObject({ result: 'error', error: { code: 'INTERNAL' } });
  });
});
