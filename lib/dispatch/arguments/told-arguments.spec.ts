import { expect, it } from '@jest/globals';
import type { PaletteEntry } from '../../palette/index.js';
import { parseArguments } from './parse-arguments.js';
import { argumentsOfOperation } from './told-arguments.js';

function entry(names: readonly [string, string][] = []): PaletteEntry {
  const argumentsSchema = { type: 'object', properties: { $groups: {}, size: { type: 'integer' } } };
  return { argumentsSchema, argumentAliases: new Map(names), nullMeansAbsent: false } as unknown as PaletteEntry;
}

it('hands on the very arguments where no format made them otherwise', () => {
  const args = { size: 1 };
  expect(argumentsOfOperation(entry(), args, false)).toBe(args);
  expect(argumentsOfOperation(entry(), { size: null }, true)).toEqual({});
});

it.each<[unknown, boolean]>([
  [{ size: 1, text: 'nil' }, false],
  ['{"size":1}', false],
  [{ size: null }, true],
  ['{"size":null}', true],
  [undefined, false],
])('looks for nulls in %j only where there may be one', (given, hasNull) => {
  expect(parseArguments(given, 1_000)).toMatchObject({ hasNull });
});

it('puts an argument under its own name, and leaves one alone that is given by both', () => {
  const aliased = entry([['groups', '$groups']]);
  expect(argumentsOfOperation(aliased, { groups: 1, size: 2 }, false)).toEqual({ $groups: 1, size: 2 });
  expect(argumentsOfOperation(aliased, { groups: 1, $groups: 2 }, false)).toEqual({ groups: 1, $groups: 2 });
});
