import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../common/index.js';
import { FilterGrammarBuilder } from './filter-grammar.js';

const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const filter = (name: string, operand: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { title: operand, $not: reference(name) },
  additionalProperties: false,
});

describe('the filter grammar', () => {
  it('takes recursive definitions with all they lead to, and leaves the rest where it is', () => {
    const builder = new FilterGrammarBuilder();
    const told = builder.take(
      { filters: reference('NoteFilter'), sorts: reference('Sort'), size: { type: 'integer' } },
      { NoteFilter: filter('NoteFilter', reference('Text')), Text: { type: 'string' }, Sort: { enum: ['asc'] } },
    );
    expect(told).toEqual({
      properties: {
        filters: { type: 'object', description: 'Written as NoteFilter of the filter grammar.' },
        sorts: reference('Sort'),
        size: { type: 'integer' },
      },
      definitions: { Text: { type: 'string' }, Sort: { enum: ['asc'] } },
      pointsTo: ['NoteFilter'],
    });
    expect(builder.grammar?.schema.$defs).toEqual({
      NoteFilter: filter('NoteFilter', reference('Text')),
      Text: { type: 'string' },
    });
  });

  it('finds them at any depth, in definitions too', () => {
    const builder = new FilterGrammarBuilder();
    const told = builder.take(
      { computed: { type: 'object', additionalProperties: reference('Metric') } },
      { Metric: { type: 'object', properties: { filter: reference('F') } }, F: filter('F', {}) },
    );
    expect(told.definitions['Metric']?.properties?.['filter']).toMatchObject({ type: 'object' });
  });

  it('has one definition for what means the same, and another name for what does not', () => {
    const builder = new FilterGrammarBuilder();
    const take = (name: string, text: JsonSchema): unknown =>
      builder.take({ f: reference(name) }, { [name]: filter(name, reference('Text')), Text: text }).properties['f']
        ?.description;
    expect([
      take('A', { type: 'string' }),
      take('A', { type: 'string' }),
      take('B', { type: 'string' }),
      take('A', { type: 'number' }),
    ]).toEqual([
      'Written as A of the filter grammar.',
      'Written as A of the filter grammar.',
      'Written as A of the filter grammar.',
      'Written as A_2 of the filter grammar.',
    ]);
    expect(builder.grammar?.schema.$defs).toEqual({
      A: filter('A', reference('Text')),
      Text: { type: 'string' },
      A_2: filter('A_2', reference('Text_2')),
      Text_2: { type: 'number' },
    });
  });

  it('is none where nothing was taken', () => {
    const builder = new FilterGrammarBuilder();
    builder.take({ size: { type: 'integer' } }, {});
    expect(builder.grammar).toBeUndefined();
  });
});
