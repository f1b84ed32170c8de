// Replaces Electron's `default_app`: runs the folder or file in the first argument. Plain JavaScript, because Electron
// runs it as is.
import './older-node.js';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

// Playwright's switches come first; Postern expects the argument where Electron leaves it.
const [executable, ...words] = process.argv;
const at = words.findIndex((word) => !word.startsWith('-'));
const program = path.resolve(words[at]);
process.argv = [executable, program, ...words.slice(at + 1)];

const isFolder = statSync(program).isDirectory();
const folder = isFolder ? program : path.dirname(program);
const description = path.join(folder, 'package.json');
const about = existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')) : {};
if (about.productName ?? about.name) app.setName(about.productName ?? about.name);
if (about.version) app.setVersion(about.version);
app.setAppPath(program);
const profile = app.commandLine.getSwitchValue('user-data-dir');
app.setPath('userData', profile === '' ? path.join(app.getPath('appData'), app.name) : profile);

// Electron waits for it before `ready`.
await import(pathToFileURL(isFolder ? path.join(folder, about.main ?? 'index.js') : program).href);
