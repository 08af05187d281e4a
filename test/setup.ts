import 'reflect-metadata';
import { afterEach, beforeEach, jest } from '@jest/globals';

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
let stray: string[] = [];

// A library that writes to the console does so in somebody's production log: each stray line fails its test.
beforeEach(() => {
  stray = [];
  for (const method of METHODS) {
    jest.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      stray.push(`console.${method}: ${parts.map(String).join(' ')}`);
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
  if (stray.length > 0) throw new Error(`Stray console output:\n${stray.join('\n')}`);
});
