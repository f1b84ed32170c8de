import * as z from 'zod';
import { commandNames } from '../../main/cli/table/command-table.ts';
import type { CommandName } from '../../main/cli/table/command-table.ts';
import { answerSchema, schemaVersion } from './answer-schemas.ts';

/** Those that hand standard output to somebody else. */
const withoutJson: ReadonlySet<CommandName> = new Set(['proxy']);

/** The files of docs/cli-json, by their names. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const names = commandNames.filter((name) => !withoutJson.has(name));
  return new Map(
    names.map((name) => {
      const schema = z.toJSONSchema(answerSchema(name), { unrepresentable: 'any' });
      const title = `A line of postern ${name} --json`;
      const document = { $id: `urn:postern:cli-json:${schemaVersion}:${name.replace(' ', '-')}`, title, ...schema };
      return [`${name.replace(' ', '-')}.json`, `${JSON.stringify(document, null, 2)}\n`];
    }),
  );
}
