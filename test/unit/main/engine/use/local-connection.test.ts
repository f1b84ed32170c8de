import { expect, it } from 'vitest';
import { silentServer } from '../../../../../main/engine/use/local-connection.ts';
import { toPlainError } from '../../../../../main/errors/postern-error.ts';

const server = {
  id: 'here',
  command: { command: 'npx', path: '/usr/bin/npx', arguments: ['-y', 'tickets-mcp'], variables: [] },
};

const output = () => ({ text: 'Starting\n\u001b[2mLoading the model\u001b[0m\n', total: 0 });

it('names what a silent command was not given for the network, and how it gets that', () => {
  const error = toPlainError(silentServer({ notGiven: () => ['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS'], output }, server));
  expect(error).toMatchObject({ code: 'LOCAL_SILENT', remedy: { kind: 'connect-command' } });
  expect(error.message).toContain('HTTPS_PROXY, NODE_EXTRA_CA_CERTS');
});

it('leads to the output of one that lacks nothing, and shows the end of it', () => {
  const error = toPlainError(silentServer({ notGiven: () => [], output }, server));
  expect(error).toMatchObject({
    code: 'LOCAL_SILENT',
    remedy: { kind: 'see-output' },
    serverWords: { message: 'Loading the model' },
  });
});
