import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { completeWords, shells } from '../options/complete-words.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';

/** Each asks `postern completion words` at every press of the key, so that one table knows what there is. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_postern() {
  local IFS=$'\\n'
  COMPREPLY=($(postern completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _postern postern`,
  zsh: `#compdef postern
_postern() {
  local -a found
  found=("\${(@f)$(postern completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _postern ]]; then _postern "$@"; else compdef _postern postern; fi`,
  fish: `function __postern_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  postern completion words -- $before[2..-1] "$current" 2>/dev/null
end
complete -c postern -a '(__postern_complete)'`,
};

/** `postern completion SHELL`: the script for a shell; with `words`, what may stand next. Errors: USAGE. */
export async function completion(context: CommandContext): Promise<Answer> {
  const [shell = '', ...words] = context.args.positionals;
  if (shell === 'words') return await complete(context, words);
  const script = scripts[shell];
  if (script === undefined)
    throw new UsageError(`“postern completion” takes one of ${shells.join(', ')}.`, 'completion');
  return { fields: { script }, text: script };
}

async function complete(context: CommandContext, words: readonly string[]): Promise<Answer> {
  const found = completeWords(words, await knownIds(context).catch(() => []));
  return { fields: { words: found }, text: found.length === 0 ? undefined : found.join('\n') };
}

/** Errors: CFG_*; commands and options are completed all the same. */
async function knownIds(context: CommandContext): Promise<readonly string[]> {
  const { store } = await openCommandProfile(context);
  return (await store.list()).map(({ id }) => id);
}
