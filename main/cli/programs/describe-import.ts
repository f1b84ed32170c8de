import type { Importable } from '../../programs/importable.ts';
import { describeEntry } from '../../programs/describe-entry.ts';
import type { Imported } from './import-entry.ts';
import { toCommandError } from '../output/command-error.ts';
import { summarise } from '../output/describe-integration.ts';
import { printableLine } from '../printable.ts';
import { writeReference } from '../output/write-command.ts';

/** An entry that may be imported, without any value of a header. */
export function importableFields({ name, server }: Importable): Readonly<Record<string, unknown>> {
  const { url } = describeEntry(name, server);
  return { name, kind: server.kind, ...(url !== undefined && { url }), headers: headersOf(server) };
}

export function importedFields(entry: Importable, imported: Imported): Readonly<Record<string, unknown>> {
  return {
    ...importableFields(entry),
    outcome: imported.outcome,
    ...('integration' in imported && { integration: summarise(imported.integration) }),
    ...('error' in imported && { error: toCommandError(imported.error, { command: 'import' }) }),
  };
}

export function describeImportable({ name, server }: Importable): string {
  const { url } = describeEntry(name, server);
  const headers = headersOf(server).map((header) => printableLine(header, 64));
  const with_ = headers.length === 0 ? '' : ` with the header ${headers.join(', ')}`;
  return `“${printableLine(name)}”: ${server.kind === 'local' ? 'a command' : printableLine(url ?? '', 200)}${with_}`;
}

/** What became of it, for a person. */
export function describeImported({ name, server }: Importable, imported: Imported): string {
  const shown = `“${printableLine(name)}”`;
  const further = server.notes.includes('further-headers') ? ' Only the first of its headers was taken.' : '';
  switch (imported.outcome) {
    case 'imported':
      return `${shown} is connected as “${printableLine(imported.integration.name)}”.${further}`;
    case 'known':
      return `${shown} is connected already, as “${printableLine(imported.integration.name)}”.`;
    case 'sign-in':
      return `${shown} is listed and wants a sign-in: postern refresh ${writeReference(imported.integration.name)} --sign-in browser`;
    case 'local':
      return `${shown} runs a command; Postern takes servers with an address alone so far.`;
    case 'to-fill-in':
      return `${shown} has a value that has to be filled in; connect it with \`postern connect\`.`;
    case 'failed': {
      const { message, nextStep } = toCommandError(imported.error, { command: 'import' });
      return `${shown} was not imported. ${printableLine(message, 400)} ${printableLine(nextStep, 400)}`;
    }
  }
}

function headersOf({ header }: Importable['server']): readonly string[] {
  return header ? [header.name] : [];
}
