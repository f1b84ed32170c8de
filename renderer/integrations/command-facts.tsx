import { fetchesCode } from '../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { visibleWord } from '../../shared/visible-word.ts';
import { Facts } from '../parts/facts.tsx';
import { words } from '../words.ts';
import '../connect/command-facts.css';

/** Exactly what runs: each word on a line of its own, whatever characters it has. */
export function CommandFacts({ command }: { readonly command: LocalCommand }) {
  const { local } = words;
  const { command: typed, path, arguments: rest, folder, variables, from } = command;
  return (
    <>
      <Facts
        facts={[
          { term: local.runs, value: <span className="mono command-word">{visibleWord(path)}</span> },
          typed !== path && {
            term: local.typedAs,
            value: <span className="mono command-word">{visibleWord(typed)}</span>,
          },
          {
            term: local.words,
            value:
              rest.length === 0 ? (
                local.noWords
              ) : (
                <ol className="command-words mono">
                  {rest.map((word, index) => (
                    <li key={index} className="command-word">
                      {visibleWord(word)}
                    </li>
                  ))}
                </ol>
              ),
          },
          {
            term: local.folder,
            value:
              folder === undefined ? (
                local.homeFolder
              ) : (
                <span className="mono command-word">{visibleWord(folder)}</span>
              ),
          },
          {
            term: local.variables,
            value: variables.length === 0 ? local.usualVariables : local.withVariables(variables.join(', ')),
          },
          from !== undefined && { term: local.from, value: from },
        ]}
      />
      {fetchesCode(command) && <p className="soft">{local.fetches(typed)}</p>}
    </>
  );
}
