import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../common/index.js';
import { argumentAliases, withArgumentAliases } from './argument-aliases.js';

function schemaOf(...names: string[]): JsonSchema {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

describe('argument aliases', () => {
  it('stand for names that not every provider takes, and for no other', () => {
    expect([...argumentAliases(schemaOf('$groups', 'filters', 'a.b-c_1', 'filter[id]', 'größe'))]).toEqual([
      ['groups', '$groups'],
      ['filter_id_', 'filter[id]'],
      ['gr__e', 'größe'],
    ]);
    expect(argumentAliases(schemaOf('title')).size).toBe(0);
  });

  it('are told apart where they would be one, whatever the order', () => {
    const aliases = argumentAliases(schemaOf('$groups', 'groups', 'a b', 'a@b', '$', 'x'.repeat(65)));
    expect(new Set(aliases.keys()).size).toBe(5);
    for (const alias of aliases.keys()) expect(alias).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect([...aliases.keys()]).not.toContain('groups');
    const turned = argumentAliases(schemaOf('x'.repeat(65), '$', 'a@b', 'a b', 'groups', '$groups'));
    expect(new Map([...turned].reverse())).toEqual(aliases);
  });

  it('stand in the schema in place of their names, required as those are', () => {
    const schema = withArgumentAliases({ ...schemaOf('$groups', 'size'), required: ['$groups'] });
    expect(Object.keys(schema.properties ?? {})).toEqual(['groups', 'size']);
    expect(schema.required).toEqual(['groups']);
    const fit = schemaOf('title');
    expect(withArgumentAliases(fit)).toBe(fit);
  });
});
