import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../integration/kept/find-integration.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { optionValue } from '../options/option-values.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';

/** `--identity-provider`, by the id that is kept: a name may change. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function chosenProvider(
  { store }: Pick<EnginePorts, 'store'>,
  args: ParsedArguments,
): Promise<Pick<Integration['options'], 'identityProvider'>> {
  const reference = optionValue(args, 'identity-provider');
  if (reference === undefined) return {};
  const { id, options } = await findIntegration(store, reference);
  if (options.isIdentityProvider) return { identityProvider: id };
  throw new UsageError('--identity-provider needs one that was connected with --as-provider.', args.command);
}
