import { fetchesCode } from '../../shared/local-command-bounds.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { Facts } from '../parts/facts.tsx';
import { words } from '../words.ts';
import './command-facts.css';

/** Exactly what runs: each word on a line of its own, whatever characters it has. */
export function CommandFacts({ command }: { readonly command: LocalCommand }) {
  const { local } = words;
  const { command: typed, path, arguments: rest, folder, variables, from } = command;
  return (
    <>
      <Facts
        facts={[
          { term: local.runs, value: <span className="mono command-word">{path}</span> },
          typed !== path && { term: local.typedAs, value: <span className="mono command-word">{typed}</span> },
          {
            term: local.words,
            value:
              rest.length === 0 ? (
                local.noWords
              ) : (
                <ol className="command-words mono">
                  {rest.map((word, index) => (
                    <li key={index} className="command-word">
                      {visible(word)}
                    </li>
                  ))}
                </ol>
              ),
          },
          {
            term: local.folder,
            value: folder === undefined ? local.homeFolder : <span className="mono command-word">{folder}</span>,
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

/** A word that is empty, or has something in it that cannot be seen, as it would be written in JSON. */
function visible(word: string): string {
  return word === '' || /[\p{C}\p{Zl}\p{Zp}]|^\s|\s$/u.test(word)
    ? JSON.stringify(word).replace(/(?!["\\])[\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
    : word;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
