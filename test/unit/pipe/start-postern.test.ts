import { describe, expect, it } from 'vitest';
import { serviceEnvironment } from '../../../pipe/start-postern.js';

describe('the environment that a pipe starts Postern with', () => {
  it('has what Windows needs, in any case, and no secrets of the AI app', () => {
    const given = {
      Path: 'C:\\bin',
      ProgramFiles: 'C:\\Program Files',
      pathext: '.EXE',
      SystemRoot: 'C:\\Windows',
      POSTERN_KEY_FILE: 'C:\\key',
    };
    const env = { ...given, GITHUB_TOKEN: 'secret', NODE_OPTIONS: '--require x', XDG_DATA_HOME: 'x' };
    const passed = serviceEnvironment(env, 'C:\\profile', 'win32');
    expect(passed).toMatchObject({ ...given, POSTERN_HOME: 'C:\\profile' });
    expect(Object.keys(passed)).not.toEqual(expect.arrayContaining(['GITHUB_TOKEN']));
    expect(Object.keys(passed)).not.toEqual(expect.arrayContaining(['NODE_OPTIONS']));
  });

  it('is case-sensitive on other systems', () => {
    const passed = serviceEnvironment({ http_proxy: 'a', Path: 'b', LC_ALL: 'C' }, '/profile', 'linux');
    expect(passed).toMatchObject({ http_proxy: 'a', LC_ALL: 'C' });
    expect(passed['Path']).toBeUndefined();
  });
});
