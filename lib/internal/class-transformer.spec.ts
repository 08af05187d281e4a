import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { createRequire } from 'node:module';
import { isFilledBy, transformerPropertiesOf, transformerStorage } from './class-transformer.js';

class Inner {}

class Outer {
  @Type(() => Inner)
  inner!: Inner[];

  @Expose({ name: 'given' })
  name!: string;

  @Exclude({ toPlainOnly: true })
  secret!: string;

  @Transform(({ value }) => value as unknown, { toClassOnly: true })
  changed!: string;
}

class Derived extends Outer {
  @Expose()
  own!: string;
}

describe("class-transformer's storage", () => {
  it('is the one that the public decorators fill, for ESM and CommonJS importers alike', () => {
    const viaRequire = createRequire(import.meta.url)('class-transformer') as typeof import('class-transformer');
    class Required {}
    viaRequire.Type(() => Inner)(Required.prototype, 'viaRequire');
    expect(transformerStorage.findTypeMetadata(Required, 'viaRequire')?.typeFunction?.({})).toBe(Inner);
    expect(transformerStorage.findTypeMetadata(Outer, 'inner')?.typeFunction?.({})).toBe(Inner);
  });

  it('tells type, emitted type, name, exclusion and transformation of a property, also an inherited one', () => {
    expect(transformerStorage.findTypeMetadata(Derived, 'inner')?.reflectedType).toBe(Array);
    expect(transformerStorage.findExposeMetadata(Derived, 'name')?.options?.name).toBe('given');
    expect(transformerStorage.findExcludeMetadata(Derived, 'secret')?.options).toEqual({ toPlainOnly: true });
    expect(transformerStorage.findTransformMetadatas(Derived, 'changed', 0)).toHaveLength(1);
    expect(transformerStorage.findTransformMetadatas(Derived, 'changed', 1)).toHaveLength(0);
    expect(transformerStorage.findTypeMetadata(Derived, 'name')).toBeUndefined();
  });

  it('lists the decorated properties of one class', () => {
    expect(transformerPropertiesOf(Outer).sort()).toEqual(['changed', 'inner', 'name', 'secret']);
    expect(transformerPropertiesOf(Derived)).toEqual(['own']);
    expect(transformerPropertiesOf(Inner)).toEqual([]);
  });

  it('knows the strategy of a class', () => {
    @Exclude()
    class Closed {}
    expect(transformerStorage.getStrategy(Closed)).toBe('excludeAll');
    expect(transformerStorage.getStrategy(Outer)).toBe('none');
  });

  it('is told apart from a second copy, which it does not see', () => {
    expect(isFilledBy()).toBe(true);
    expect(isFilledBy(() => () => undefined)).toBe(false);
  });
});
