import { expect, it } from 'vitest';
import { silentServer } from '../../../../../main/engine/use/local-connection.ts';
import { toPlainError } from '../../../../../main/errors/postern-error.ts';

const server = {
  id: 'here',
  command: { command: 'npx', path: '/usr/bin/npx', arguments: ['-y', 'tickets-mcp'], variables: [] },
};

const output = () => ({ text: 'Starting\n\u001b[2mLoading the model\u001b[0m\n', total: 0 });

it('names the withheld network variables of a silent command, and the remedy', () => {
  const error = toPlainError(
    silentServer({ withheldVariables: () => ['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS'], output }, server),
  );
  expect(error).toMatchObject({ code: 'LOCAL_SILENT', remedy: { kind: 'connect-command' } });
  expect(error.message).toContain('HTTPS_PROXY, NODE_EXTRA_CA_CERTS');
});

it('points to the output of a command that lacks no variables, and shows its end', () => {
  const error = toPlainError(silentServer({ withheldVariables: () => [], output }, server));
  expect(error).toMatchObject({
    code: 'LOCAL_SILENT',
    remedy: { kind: 'see-output' },
    serverWords: { message: 'Loading the model' },
  });
});
