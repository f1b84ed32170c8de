import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { Secret } from '../../secret.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, optionValue } from '../options/option-values.ts';
import { readHiddenLine } from './read-hidden-line.ts';
import { UsageError } from '../options/usage-error.ts';

export interface ApiKeyOption {
  readonly headerName: string;
  readonly key: Secret;
}

/**
 * `--header NAME --header-value-stdin`: the value is the first line of standard input; on a terminal it is asked for
 * and not shown. Errors: USAGE.
 */
export async function readApiKey(context: CommandContext): Promise<ApiKeyOption | undefined> {
  const { args, stdin, canAsk, prompt, signal } = context;
  const headerName = optionValue(args, 'header');
  const wantsValue = hasOption(args, 'header-value-stdin');
  if (headerName === undefined && !wantsValue) return undefined;
  if (headerName === undefined) throw new UsageError('--header-value-stdin needs --header NAME too.', args.command);
  if (hasOption(args, 'client-id') || hasOption(args, 'client-secret-stdin') || hasOption(args, 'client-key-stdin')) {
    throw new UsageError(
      '--header is for servers without a sign-in, so --client-id does not go with it.',
      args.command,
    );
  }
  if (!isKeyHeaderName(headerName)) {
    throw new UsageError(
      '--header needs the name of a header that is free for a key, such as X-API-Key.',
      args.command,
    );
  }
  if (!wantsValue && !canAsk) {
    throw new UsageError('--header needs --header-value-stdin and the key on standard input.', args.command);
  }
  const value = canAsk
    ? await readHiddenLine(stdin, () => prompt(`Value of ${headerName} (it is not shown): `), signal)
    : await stdin.next(signal);
  if (canAsk) prompt('\n');
  if (!value) throw new UsageError('No value for the header came on standard input.', args.command);
  if (!isKeyHeaderValue(value)) {
    throw new UsageError('The value of the header may hold visible ASCII characters only.', args.command);
  }
  return { headerName, key: new Secret(value) };
}
