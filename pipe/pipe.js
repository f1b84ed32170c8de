#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runPipe } from './run-pipe.js';

const app = fileURLToPath(new URL('../bin/postern.js', import.meta.url));

runPipe(process.argv.slice(2), existsSync(app) ? [process.execPath, app, 'serve', '--idle-exit', '600'] : undefined);
