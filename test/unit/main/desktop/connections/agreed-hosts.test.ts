import { describe, expect, it } from 'vitest';
import { answerHosts } from '../../../../../main/desktop/connections/agreed-hosts.ts';
import { createConnection } from '../../../../../main/desktop/connections/connection.ts';
import { localOptions } from '../../../../support/local-options.ts';

describe('answerHosts', () => {
  it.each([
    [['login.third.test'], []],
    [['accounts.honest.test'], []],
    [[], []],
    [['api.honest.test', 'accounts.honest.test'], [true]],
  ])('goes on waiting after a yes to %j unless these are all hosts that it asks about: %j (MD-38)', (yes, expected) => {
    const answers: boolean[] = [];
    const url = 'https://mcp.test/mcp';
    const connection = createConnection({ kind: 'connect', surface: 'window-1', url, name: '', options: localOptions });
    const hosts = ['accounts.honest.test', 'api.honest.test'];
    const asked = { server: 'mcp.test', service: 'login.evil.test', page: 'accounts.honest.test', token: 'x', hosts };
    connection.hosts = { asked, answer: (answer) => void answers.push(answer) };
    answerHosts(connection, yes);
    expect(answers).toEqual(expected);
  });
});
