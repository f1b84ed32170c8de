import type { Prompt, Resource, ResourceTemplate } from '../../integration/use/browse-server.ts';
import { printableLine } from '../text/printable.ts';
import { widthFor, wrap } from './describe-fields.ts';

/** Arguments of one prompt that are shown; `--json` has them all. */
const shownArguments = 24;
/** Characters of an address that is shown. */
const longestAddress = 500;

/** `notes://today  Notes of today (text/plain)`, and below it what the server says of it. */
export function describeResource(resource: Resource | ResourceTemplate, columns?: number): string {
  const { name, title, mimeType, description } = resource;
  const address = 'uri' in resource ? resource.uri : resource.uriTemplate;
  const kind = mimeType === undefined ? '' : ` (${printableLine(mimeType, 80)})`;
  return [
    `${printableLine(address, longestAddress)}  ${printableLine(title ?? name, 80)}${kind}`,
    ...describeText(description, columns),
  ].join('\n');
}

/** `plan_trip(city, days?)  Plan a trip`, and below it what the server says of it and of its arguments. */
export function describePrompt({ name, title, description, arguments: inputs = [] }: Prompt, columns?: number): string {
  const shown = inputs.slice(0, shownArguments);
  const names = shown.map((input) => `${printableLine(input.name, 40)}${input.required === true ? '' : '?'}`);
  const more = inputs.length > shown.length ? [`… ${inputs.length - shown.length} more`] : [];
  return [
    `${printableLine(name, 128)}(${[...names, ...more].join(', ')})${title === undefined ? '' : `  ${printableLine(title)}`}`,
    ...describeText(description, columns),
    ...shown.flatMap((input) =>
      input.description === undefined ? [] : describeText(`${input.name}: ${input.description}`, columns),
    ),
  ].join('\n');
}

function describeText(text: string | undefined, columns: number | undefined): string[] {
  const width = widthFor(columns) - 4;
  return text === undefined || text === '' ? [] : wrap(printableLine(text, 600), width).map((line) => `    ${line}`);
}
