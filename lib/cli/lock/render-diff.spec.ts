import { expect, it } from '@jest/globals';
import { renderDiff } from './render-diff.js';

it('tells first what agents gained, whatever the order of changes', () => {
  const text = renderDiff([
    { effect: 'lost', at: 'palette "old"', what: 'is gone' },
    { effect: 'changed', at: 'operation notes.list (reading)', what: 'input schema is another' },
    { effect: 'gained', at: 'palette "new"', what: 'is new, read-only' },
    { effect: 'gained', at: 'tool a of palette "new"', what: 'is new: a' },
  ]);
  expect(text.split('\n')).toEqual([
    'Gained: what agents may see, do or send now and could not before',
    '  + palette "new": is new, read-only',
    '  + tool a of palette "new": is new: a',
    '',
    'Changed',
    '  ~ operation notes.list (reading): input schema is another',
    '',
    'Lost',
    '  - palette "old": is gone',
    '',
  ]);
});

it('is empty where nothing changed', () => {
  expect(renderDiff([])).toBe('');
});
