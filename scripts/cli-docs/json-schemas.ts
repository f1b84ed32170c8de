import * as z from 'zod/mini';
import { commandTable } from '../../main/cli/table/command-table.ts';
import { resultSchema, schemaVersion } from './result-schemas.ts';

/** The files of docs/cli-json, by their names. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  // A command without the option passes standard output to another program.
  const names = commandTable.names.filter((name) => commandTable.specs[name].options.includes('json'));
  return new Map(
    names.map((name) => {
      const schema = z.toJSONSchema(resultSchema(name), { unrepresentable: 'any' });
      const title = `A line of postern ${name} --json`;
      const document = { $id: `urn:postern:cli-json:${schemaVersion}:${name.replace(' ', '-')}`, title, ...schema };
      return [`${name.replace(' ', '-')}.json`, `${JSON.stringify(document, null, 2)}\n`];
    }),
  );
}
