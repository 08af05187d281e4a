import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { standardSchemaOf, standardSchemaOfClass, standardSchemaOfPipe } from './standard-schema.js';

const Note = z.object({ title: z.string() });

class NoteDto {
  static readonly isZodDto = true;
  static readonly schema = Note;
}

class DerivedDto extends NoteDto {}

class SchemaPipe {
  constructor(
    private readonly schema: unknown,
    readonly other?: unknown,
  ) {}

  transform(value: unknown): unknown {
    return [value, this.schema];
  }
}

describe('a Standard Schema', () => {
  it('is known by its shape', () => {
    expect(standardSchemaOf(Note)).toBe(Note);
    const callable = Object.assign(() => undefined, {
      '~standard': { version: 1, vendor: 'arktype', validate: () => ({}), jsonSchema: { input: () => ({}) } },
    });
    expect(standardSchemaOf(callable)).toBe(callable);
  });

  it('may tell no JSON Schema', () => {
    expect(standardSchemaOf(mini.string())?.['~standard']).toEqual({ vendor: 'zod', jsonSchema: undefined });
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ '~standard': true }],
    [{ '~standard': { vendor: 'x' } }],
    [{ '~standard': { validate: () => ({}) } }],
    [
      Object.defineProperty({}, '~standard', {
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('is not %p', (value) => {
    expect(standardSchemaOf(value)).toBeUndefined();
  });

  it('is what a class has as its static schema, or an ancestor of it', () => {
    expect(standardSchemaOfClass(NoteDto)).toBe(Note);
    expect(standardSchemaOfClass(DerivedDto)).toBe(Note);
    expect(standardSchemaOfClass(class Plain {})).toBeUndefined();
    expect(
      standardSchemaOfClass(
        class Other {
          static schema = { type: 'object' };
        },
      ),
    ).toBeUndefined();
    expect(standardSchemaOfClass(Object)).toBeUndefined();
    expect(standardSchemaOfClass('text')).toBeUndefined();
  });

  it('is what a pipe was made with, unless it was made with several', () => {
    expect(standardSchemaOfPipe(new SchemaPipe(Note))).toBe(Note);
    expect(standardSchemaOfPipe(new SchemaPipe(DerivedDto))).toBe(Note);
    expect(standardSchemaOfPipe(new SchemaPipe(undefined))).toBeUndefined();
    expect(standardSchemaOfPipe(new SchemaPipe(Note, z.string()))).toBeUndefined();
    expect(standardSchemaOfPipe(SchemaPipe)).toBeUndefined();
  });
});
