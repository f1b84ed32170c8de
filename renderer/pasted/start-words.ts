import { splitCommand } from './split-command.ts';

/** A command line as it is to be started: its words, and the variables that stand before them. */
export interface StartWords {
  readonly words: readonly string[];
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** Reads `$ NAME=value npx …` as people copy it. Nothing is expanded. */
export function readStartWords(line: string): StartWords {
  const all = splitCommand(line.trim());
  const start = all.findIndex((word) => !/^(?:[$>%#]|PS>|env|export|[A-Za-z_]\w*=.*)$/su.test(word));
  const before = start < 0 ? all : all.slice(0, start);
  const variables = before.flatMap((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/su.exec(word) ?? [];
    return name === undefined ? [] : [{ name, value: value ?? '' }];
  });
  return { words: start < 0 ? [] : all.slice(start), variables };
}
