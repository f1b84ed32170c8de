import { describe, expect, it } from 'vitest';
import { answerHosts } from '../../../../../main/window/handlers/connection-handlers.ts';

describe('answerHosts', () => {
  it.each([
    [['login.third.test'], []],
    [['accounts.honest.test'], []],
    [[], []],
    [['api.honest.test', 'accounts.honest.test'], [true]],
  ])('keeps waiting after consent to %j unless these are all the hosts in question: %j (MD-38)', (yes, expected) => {
    const answers: boolean[] = [];
    const hosts = ['accounts.honest.test', 'api.honest.test'];
    const request = { server: 'mcp.test', service: 'login.evil.test', page: 'accounts.honest.test', token: 'x', hosts };
    answerHosts({ waiting: { for: 'hosts', request, answer: (answer) => void answers.push(answer) } }, yes);
    expect(answers).toEqual(expected);
  });
});
