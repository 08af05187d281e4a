import { describe, expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import { QueryPolicy, declaredQueryPolicy } from './query-policy.decorator.js';

@QueryPolicy({
  filterable: { title: true, note: ['$eq'] },
  sortable: ['title'],
  aggregatable: { title: 'group' },
  returnable: ['title', 'note'],
  kinds: { note: 'string' },
  defaultSort: { title: 'asc' },
  tieBreaker: 'title',
  maxSize: 10,
})
class NoteRead {
  @IsString() title!: string;
  @IsString() note?: string | null;
}

// @ts-expect-error The class has no such field.
@QueryPolicy({ sortable: ['titel'] })
class MisspeltRead {
  @IsString() title!: string;
}

// @ts-expect-error The class has no such field.
@QueryPolicy({ filterable: { titel: true } })
class MisspeltMapRead {
  @IsString() title!: string;
}

class NotesController {
  @QueryPolicy<NoteRead>({ sortable: ['title'] })
  list(): void {}

  // @ts-expect-error The read model has no such field.
  @QueryPolicy<NoteRead>({ sortable: ['titel'] })
  misspelt(): void {}

  @QueryPolicy({ sortable: ['title'] })
  unchecked(): void {}
}

describe('@QueryPolicy', () => {
  it('keeps the options of a class with the class', () => {
    expect(declaredQueryPolicy(NoteRead)).toMatchObject({ sortable: ['title'], maxSize: 10 });
    expect(declaredQueryPolicy(MisspeltRead)).toEqual({ sortable: ['titel'] });
    expect(declaredQueryPolicy(MisspeltMapRead)).toEqual({ filterable: { titel: true } });
  });

  it('keeps those of a method with the method', () => {
    expect(declaredQueryPolicy(NotesController.prototype.list)).toEqual({ sortable: ['title'] });
    expect(declaredQueryPolicy(NotesController.prototype.unchecked)).toEqual({ sortable: ['title'] });
    expect(declaredQueryPolicy(NotesController.prototype.misspelt)).toEqual({ sortable: ['titel'] });
    expect(declaredQueryPolicy(NotesController)).toBeUndefined();
  });

  it('refuses options and operators that do not exist, where they are written', () => {
    // @ts-expect-error There is no such option.
    QueryPolicy({ filtrable: ['title'] });
    // @ts-expect-error There is no such operator.
    QueryPolicy({ filterable: { title: ['$ne'] } });
    // @ts-expect-error There is no such kind.
    QueryPolicy({ kinds: { title: 'text' } });
    expect(QueryPolicy({})).toBeInstanceOf(Function);
  });
});
