import { describe, expect, it } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { Expose, Transform, instanceToPlain } from 'class-transformer';
import { projectResult } from './project-result.js';

const project = (result: unknown, names: readonly string[] = ['id', 'title']) => projectResult(result, names)?.value;

const row = { id: 1, title: 'a', salary: 9 };

class NoteEntity {
  id = 1;
  @Transform(() => '***') title = 'secret title';
  salary = 9;

  @Expose() get fullTitle(): string {
    return `full ${this.title}`;
  }

  get short(): string {
    return this.title.slice(0, 3);
  }
}

class NotesPage {
  constructor(
    readonly hits: NoteEntity[],
    readonly count: number,
  ) {}
}

describe('projectResult', () => {
  it.each<[string, unknown, unknown]>([
    [
      'the rows of a list',
      [row, row],
      [
        { id: 1, title: 'a' },
        { id: 1, title: 'a' },
      ],
    ],
    ['the rows of a page', { hits: [row], page: 1, count: 5 }, { hits: [{ id: 1, title: 'a' }], page: 1, count: 5 }],
    ['the rows of an executor', { rows: [row], hasMore: false }, { rows: [{ id: 1, title: 'a' }], hasMore: false }],
    ['the one row', row, { id: 1, title: 'a' }],
    ['a row without prototype', Object.assign(Object.create(null) as object, row), { id: 1, title: 'a' }],
    ['nothing', null, null],
    ['no value', undefined, undefined],
    ['a number', 5, 5],
    ['rows that are null', [null, row], [null, { id: 1, title: 'a' }]],
  ])('keeps to the named fields %s', (_what, result, expected) => {
    expect(JSON.stringify(project(result))).toBe(JSON.stringify(expected));
  });

  it('does not change what the handler answered', () => {
    const result = { hits: [{ ...row }] };
    project(result);
    expect(result).toEqual({ hits: [row] });
  });

  it('gives a row no field that it did not have, inherited ones neither', () => {
    expect(Object.keys(project({ id: 1 }) as object)).toEqual(['id']);
    expect(Object.keys(project({ id: 1 }, ['id', 'constructor', 'toString']) as object)).toEqual(['id']);
  });

  it('keeps the class of a row, so that its serializer still masks', () => {
    const projected = project([new NoteEntity()]) as NoteEntity[];
    expect(projected[0]).toBeInstanceOf(NoteEntity);
    expect(instanceToPlain(projected)).toEqual([{ id: 1, title: '***' }]);
  });

  it('hides accessors that are not named, and reads those that are', () => {
    const projected = project(new NoteEntity(), ['id', 'short']) as NoteEntity;
    expect(projected.short).toBe('sec');
    expect(projected.fullTitle).toBeUndefined();
    expect(JSON.stringify(projected)).toBe('{"id":1,"short":"sec"}');
  });

  it('keeps the class of a page', () => {
    const projected = project(new NotesPage([new NoteEntity()], 1)) as NotesPage;
    expect(projected).toBeInstanceOf(NotesPage);
    expect(Object.keys(projected.hits[0] as object)).toEqual(['id', 'title']);
  });

  it('takes a row at its word that says how it looks as JSON', () => {
    const document = { _doc: row, toJSON: () => ({ ...row, extra: 1 }) };
    expect(JSON.stringify(project([document]))).toBe('[{"id":1,"title":"a"}]');
  });

  it('takes "hits" for a field where it is one', () => {
    const song = { id: 1, hits: ['x'], salary: 9 };
    expect(JSON.stringify(project(song, ['id', 'hits']))).toBe('{"id":1,"hits":["x"]}');
  });

  it('passes no bytes and no streams', () => {
    const stream = new StreamableFile(Buffer.from('id,salary'));
    for (const opaque of [stream, Buffer.from('x'), new Uint8Array(1), stream.getStream()]) {
      expect(projectResult(opaque, ['id'])).toBeUndefined();
    }
  });
});
