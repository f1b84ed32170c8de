export const shells = ['bash', 'zsh', 'fish'] as const;

/**
 * Each asks `postern completion words` at every press of the key, so that one table knows what there is. It ends with 1
 * where neither a word nor a file is meant.
 */
export const shellScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_postern() {
  local found word quoted
  COMPREPLY=()
  found=$(postern completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || compopt +o default 2>/dev/null
  # What a server calls its tools is inserted as it stands.
  while IFS= read -r word; do
    [[ -z "$word" ]] || { printf -v quoted %q "$word"; COMPREPLY+=("$quoted"); }
  done <<< "$found"
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _postern postern`,
  zsh: `#compdef postern
_postern() {
  local text
  local -a found
  text="$(postern completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)" || return 1
  found=("\${(@f)text}")
  if [[ "\${found[1]}" = *= ]]; then compadd -S '' -- "\${found[@]}"
  elif [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _postern ]]; then _postern "$@"; else compdef _postern postern; fi`,
  fish: `function __postern_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l found (postern completion words -- $before[2..-1] "$current" 2>/dev/null); or return
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c postern -f -a '(__postern_complete)'`,
};
