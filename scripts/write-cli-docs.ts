import { mkdirSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { cliGuide } from './cli-docs/cli-guide.ts';
import { errorGuide } from './cli-docs/error-guide.ts';
import { jsonSchemas } from './cli-docs/json-schemas.ts';
import { settingsGuide } from './cli-docs/settings-guide.ts';
import { threatModel } from './cli-docs/threat-model.ts';

/** Writes the generated documents in docs/. A test fails if they are out of date. */
const docs = new URL('../docs/', import.meta.url);
const style = { printWidth: 120, singleQuote: true } as const;
writeFileSync(new URL('cli.md', docs), await format(cliGuide(), { ...style, parser: 'markdown' }));
writeFileSync(new URL('errors.md', docs), await format(errorGuide(), { ...style, parser: 'markdown' }));
writeFileSync(new URL('settings.md', docs), await format(settingsGuide(), { ...style, parser: 'markdown' }));
writeFileSync(new URL('threat-model.md', docs), await format(threatModel(), { ...style, parser: 'markdown' }));
mkdirSync(new URL('cli-json/', docs), { recursive: true });
for (const [name, text] of jsonSchemas())
  writeFileSync(new URL(`cli-json/${name}`, docs), await format(text, { ...style, parser: 'json' }));
