import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, instanceToPlain } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import { hiddenFieldsOf, withoutHidden, type IsHidden } from './hidden-fields.js';

class AccountRead {
  readonly #key = 'k';
  @IsInt() id = 1;
  @Exclude() @IsString() iban = 'DE00123456';
  @Exclude({ toClassOnly: true }) @IsString() onlyOut = 'o';

  @Expose() get lastDigits(): string {
    return `${this.#key}${this.iban.slice(-2)}`;
  }

  @Exclude() get all(): string {
    return this.iban;
  }
}

@Exclude()
class ClosedRead {
  @Expose() @IsInt() id!: number;
  @IsString() iban!: string;
}

class OpenRead {
  @IsInt() id!: number;
}

const isHidden = hiddenFieldsOf(AccountRead) as IsHidden;

describe('hiddenFieldsOf', () => {
  it('tells what @Exclude() keeps out of answers', () => {
    expect(['id', 'iban', 'onlyOut', 'lastDigits', 'all', 'url'].filter(isHidden)).toEqual(['iban', 'all']);
  });

  it('tells all that is not exposed, told or not, where it stands on the class', () => {
    expect(['id', 'iban', 'salt'].filter(hiddenFieldsOf(ClosedRead) as IsHidden)).toEqual(['iban', 'salt']);
  });

  it('tells of nothing to hide', () => {
    expect(hiddenFieldsOf(OpenRead)).toBeUndefined();
  });
});

describe('withoutHidden', () => {
  it('leaves a row alone that holds nothing hidden, and what is no row', () => {
    const row = { id: 1, url: '/1' };
    expect(withoutHidden(row, isHidden)).toBe(row);
    expect([null, undefined, 5, 'x'].map((each) => withoutHidden(each, isHidden))).toEqual([null, undefined, 5, 'x']);
  });

  it('does not change the row', () => {
    const row = { id: 1, iban: 'x' };
    expect(withoutHidden(row, isHidden)).toEqual({ id: 1 });
    expect(row).toEqual({ id: 1, iban: 'x' });
  });

  it('keeps the class, and what that tells of what is hidden', () => {
    const row = withoutHidden(new AccountRead(), isHidden) as AccountRead;
    expect(row).toBeInstanceOf(AccountRead);
    expect([row.lastDigits, row.iban, row.all]).toEqual(['k56', undefined, undefined]);
    expect(JSON.stringify(row)).toBe('{"id":1,"onlyOut":"o"}');
    expect(instanceToPlain(row)).toEqual({ id: 1, onlyOut: 'o', lastDigits: 'k56' });
  });

  it('takes a row at its word that says how it looks as JSON', () => {
    const looking = (json: unknown) => ({ _doc: 1, toJSON: () => json });
    expect(withoutHidden(looking({ id: 1, iban: 'x' }), isHidden)).toEqual({ id: 1 });
    for (const row of [looking({ id: 1 }), looking('x')]) expect(withoutHidden(row, isHidden)).toBe(row);
  });
});
