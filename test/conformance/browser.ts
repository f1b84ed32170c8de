#!/usr/bin/env node
import { argv } from 'node:process';

/** The suite's sign-in page approves at once: follow it to our callback, as a browser would. The URL comes last. */
const response = await fetch(argv.at(-1) ?? '');
await response.arrayBuffer();
