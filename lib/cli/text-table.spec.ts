import { expect, it } from '@jest/globals';
import { textTable } from './text-table.js';

it('lines columns up by their widest cell, and leaves no space at the end', () => {
  expect(
    textTable(
      ['name', 'to'],
      [
        ['a', 'somewhere'],
        ['long name', ''],
      ],
    ),
  ).toBe('  name       to\n  a          somewhere\n  long name\n');
});

it('is the header alone where there are no rows', () => {
  expect(textTable(['name', 'to'], [])).toBe('  name  to\n');
});
