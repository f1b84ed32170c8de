import { expect, it } from 'vitest';
import { silentServer } from '../../../../../main/engine/use/local-connection.ts';
import { toPlainError } from '../../../../../main/plain-error.ts';

const server = {
  id: 'here',
  command: { command: 'npx', path: '/usr/bin/npx', arguments: ['-y', 'tickets-mcp'], variables: [] },
};

it('names what a silent command was not given for the network, and how it gets that', () => {
  const error = toPlainError(silentServer({ notGiven: () => ['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS'] }, server));
  expect(error).toMatchObject({ code: 'LOCAL_SILENT', remedy: { kind: 'connect-command' } });
  expect(error.message).toContain('HTTPS_PROXY, NODE_EXTRA_CA_CERTS');
});

it('leads to the output of one that lacks nothing', () => {
  const error = toPlainError(silentServer({ notGiven: () => [] }, server));
  expect(error).toMatchObject({ code: 'LOCAL_SILENT', remedy: { kind: 'see-output' } });
});
