#!/usr/bin/env node
import 'reflect-metadata';
import { EXIT_CODES } from './command-error.js';
import { run } from './run.js';

const toStdout = process.stdout.write.bind(process.stdout);
const toStderr = process.stderr.write.bind(process.stderr);

// What the application prints while it loads must not stand in the midst of an answer that a script reads.
process.stdout.write = toStderr;

process.on('uncaughtException', (error) => {
  toStderr(`The application does not boot:\n${error.stack ?? String(error)}\n`);
  process.exit(EXIT_CODES.notBooted);
});

const exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: (text) => void toStdout(text),
  stderr: (text) => void toStderr(text),
});

// An application that was merely imported may hold the process open.
toStdout('', () => toStderr('', () => process.exit(exitCode)));
