import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { MultilineObject, windowsLaunch } from '../../../../main/local/child-process.ts';

const linesOf = (value: object): readonly string[] => JSON.stringify(value, undefined, 1).split('\n');
const whole = (lines: readonly string[], limit = 10_000_000) => {
  const spread = new MultilineObject(limit);
  const taken = lines.map((line) => spread.feed(Buffer.from(line)));
  return {
    objects: taken.flatMap(({ object: each }) => (each ? [JSON.parse(each.toString()) as unknown] : [])),
    noise: [...taken.flatMap(({ noise }) => noise), ...spread.drop()].map(String),
  };
};
const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });

test.prop([fc.array(object), fc.constantFrom([], ['{'], ['{', '"a":'], ['{ "a": [', '1,'])])(
  'joins the lines of every object, whatever incomplete object precedes it',
  (objects, before) => {
    const written = objects.map((each) => JSON.parse(JSON.stringify(each)) as object);
    const taken = whole([...written.flatMap((each) => linesOf(each)), 'no JSON', ...before, 'no JSON']);
    expect(taken.objects).toEqual(written);
    expect(taken.noise).toEqual(['no JSON', ...before, 'no JSON']);
  },
);

it('buffers no more than its limit', () => {
  const lines = linesOf({ one: 1, end: 'x'.repeat(100) });
  expect(whole(lines, 100)).toEqual({ objects: [], noise: lines });
});

describe('how Windows starts a command', () => {
  const env = { SystemRoot: String.raw`C:\Windows` };

  it('starts programs directly', () => {
    const words = ['"x&y"', '%PATH%'];
    expect(windowsLaunch(String.raw`C:\a\node.exe`, words, env)).toEqual({
      file: String.raw`C:\a\node.exe`,
      words,
      windowsVerbatimArguments: false,
    });
  });

  it('lets cmd.exe interpret nothing in the arguments of a batch file', () => {
    const launch = windowsLaunch(String.raw`C:\a b\npx.CMD`, ['"x&y"', '%PATH%', 'a\\'], env);
    expect(launch).toMatchObject({ file: String.raw`C:\Windows\System32\cmd.exe`, windowsVerbatimArguments: true });
    const line = String.raw`""C:\a b\npx.CMD" """x&y""" "%%cd:~,%PATH%%cd:~,%" "a\\""`;
    expect(launch?.words).toEqual(['/e:ON', '/v:OFF', '/d', '/c', line]);
  });

  it('refuses a line break for a batch file, where cmd.exe would end the command', () => {
    for (const word of ['a\nb', 'a\r']) expect(windowsLaunch(String.raw`C:\a\npx.cmd`, [word], env)).toBeUndefined();
  });
});
