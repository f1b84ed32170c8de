import * as z from 'zod/mini';
import { commandTable } from '../../main/cli/table/command-table.ts';
import { answerSchema, schemaVersion } from './answer-schemas.ts';

/** The files of docs/cli-json, by their names. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  // One without the option hands standard output to somebody else.
  const names = commandTable.names.filter((name) => commandTable.specs[name].options.includes('json'));
  return new Map(
    names.map((name) => {
      const schema = z.toJSONSchema(answerSchema(name), { unrepresentable: 'any' });
      const title = `A line of postern ${name} --json`;
      const document = { $id: `urn:postern:cli-json:${schemaVersion}:${name.replace(' ', '-')}`, title, ...schema };
      return [`${name.replace(' ', '-')}.json`, `${JSON.stringify(document, null, 2)}\n`];
    }),
  );
}
