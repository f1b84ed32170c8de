export const shells = ['bash', 'zsh', 'fish'] as const;

/** Each asks `postern completion words` at every press of the key, so that one table knows what there is. */
export const shellScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_postern() {
  local IFS=$'\\n'
  COMPREPLY=($(postern completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _postern postern`,
  zsh: `#compdef postern
_postern() {
  local -a found
  found=("\${(@f)$(postern completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${found[1]}" = *= ]]; then compadd -S '' -- "\${found[@]}"
  elif [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _postern ]]; then _postern "$@"; else compdef _postern postern; fi`,
  fish: `function __postern_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  postern completion words -- $before[2..-1] "$current" 2>/dev/null
end
complete -c postern -a '(__postern_complete)'`,
};
