import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';
import { documentedProperties } from './documented-property.js';
import { readClassProperties, schemaOfClass, SchemaContext } from './index.js';

/** Leaves what `@ApiProperty()` of `@nestjs/swagger` leaves. */
function Documented(options: Record<string, unknown> = {}): PropertyDecorator {
  return (target, key) => {
    const names = (Reflect.getMetadata('swagger/apiModelPropertiesArray', target) as string[] | undefined) ?? [];
    Reflect.defineMetadata('swagger/apiModelPropertiesArray', [...names, `:${String(key)}`], target);
    const type: unknown = Reflect.getMetadata('design:type', target, key);
    Reflect.defineMetadata('swagger/apiModelProperties', { type, ...options }, target, key);
  };
}

class Line {
  @IsInt()
  sku!: number;
}

class Order {
  @Documented({ description: 'Who gets it.', example: 'Ada', default: 'me' })
  @IsString()
  @Length(1, 9)
  receiver!: string;

  @Documented({
    description: 'Two letters.',
    enum: ['a', 'b'],
    examples: { one: { value: 'a' }, other: { value: 'b' } },
  })
  @IsOptional()
  @IsString()
  choice?: string;

  @Documented({ type: Line, isArray: true })
  @ValidateNested({ each: true })
  lines!: Line[];

  @Documented({ type: String, isArray: true })
  @IsArray()
  tags!: string[];

  @Documented({ description: 'Nobody checks it.' })
  note!: string;

  @Documented({ enum: ['low', 'high'], type: 'string' })
  level!: unknown;

  @Documented({ type: 'string', format: 'uuid' })
  @Allow()
  id!: string;

  @Documented({ type: () => [Line] })
  unchecked!: Line[];
}

describe('what @nestjs/swagger was told', () => {
  const context = new SchemaContext();
  const schema = schemaOfClass(Order, context);
  const property = (name: string) => schema.properties?.[name];

  it('describes what validators check', () => {
    expect(property('receiver')).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 9,
      description: 'Who gets it.',
      default: 'me',
      examples: ['Ada'],
    });
  });

  it('narrows nothing that a validator lets through', () => {
    expect(property('choice')).toEqual({ type: ['string', 'null'], description: 'Two letters.', examples: ['a', 'b'] });
  });

  it('tells the items of a list where @Type() does not', () => {
    expect(property('lines')).toEqual({ type: 'array', items: { $ref: '#/$defs/Line' } });
    expect(property('tags')).toEqual({ type: 'array', items: { type: 'string' } });
    expect(context.gaps.map((gap) => gap.at)).toEqual(['Order.lines', 'Order.unchecked']);
    expect(context.gaps[0]?.why).toContain('@Type(() => Line)');
  });

  it('tells properties that nothing checks, and requires none of them', () => {
    expect(property('note')).toEqual({ type: ['string', 'null'], description: 'Nobody checks it.' });
    expect(property('level')).toEqual({ type: ['string', 'null'], enum: ['low', 'high', null] });
    expect(property('id')).toEqual({ type: ['string', 'null'], format: 'uuid' });
    expect(property('unchecked')).toEqual({
      type: ['array', 'null'],
      items: {},
      description:
        'The application does not check what it holds; it is meant to fit {"type":"array","items":{"$ref":"#/$defs/Line"}}.',
    });
    expect(schema.required).toEqual(['receiver', 'tags']);
  });

  it('tells the fields of a read model', () => {
    expect(readClassProperties(Order).map(({ name }) => name)).toContain('note');
  });
});

describe('a type that the compiler left as Object', () => {
  class Half {
    @Documented({ type: String })
    @IsNotEmpty()
    name!: string | null;

    @Documented({ type: () => String })
    @IsString({ each: true })
    listed!: string[] | null;

    @Documented({ type: Object })
    @IsNotEmpty()
    meta!: Record<string, unknown> | null;

    @IsOptional()
    @IsNotEmpty()
    untold?: string | number | null;
  }
  const { properties } = schemaOfClass(Half, new SchemaContext());

  it('is the scalar that the documentation tells', () => {
    expect(properties?.['name']).toEqual({ type: 'string', minLength: 1 });
  });

  it('stays open where the documentation tells no scalar, or validators speak of a list', () => {
    expect(properties?.['listed']).toEqual({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
    expect(properties?.['meta']).toEqual({ not: { enum: ['', null] } });
    expect(properties?.['untold']).toEqual({ not: { const: '' } });
  });
});

describe('a class that nothing checks', () => {
  class Part {
    @IsInt()
    size!: number;
  }
  class Whole {
    @IsOptional() @Type(() => Part) typed?: Part | null;
    @Documented({ type: () => Part }) @IsOptional() documented?: Part | null;
    @Documented({ type: () => [Part] }) @IsOptional() listed?: Part[] | null;
    @IsOptional() @IsObject() bare?: Part;
    @IsOptional() @IsObject() any?: Record<string, unknown>;
  }
  const context = new SchemaContext();
  const { properties } = schemaOfClass(Whole, context);
  const meant = (fit: object): string =>
    `The application does not check what it holds; it is meant to fit ${JSON.stringify(fit)}.`;
  const part = { $ref: '#/$defs/Part' };

  it('is told in words, and narrows nothing', () => {
    expect(properties).toEqual({
      typed: { description: meant(part) },
      documented: { description: meant(part) },
      listed: { description: meant({ type: 'array', items: part }) },
      bare: { type: ['object', 'null'], description: meant(part) },
      any: { type: ['object', 'null'] },
    });
    expect(Object.keys(context.definitions)).toEqual(['Part']);
  });

  it('is reported', () => {
    expect(context.gaps.map(({ at }) => at)).toEqual(['Whole.typed', 'Whole.documented', 'Whole.listed']);
  });
});

describe('documentedProperties', () => {
  class Base {
    static _OPENAPI_METADATA_FACTORY(): object {
      return { id: { required: true, type: () => String }, tags: { required: false, type: () => [Number] } };
    }
  }

  class Derived extends Base {
    static override _OPENAPI_METADATA_FACTORY(): object {
      return { lines: { required: true, type: () => [Line], description: 'What was bought.' } };
    }

    @Documented({ description: 'Stated.' })
    own!: string;
  }

  it("reads what the compiler plugin adds to a class, an ancestor's first", () => {
    const properties = documentedProperties(Derived);
    expect([...properties.keys()]).toEqual(['id', 'tags', 'lines', 'own']);
    expect(properties.get('id')).toMatchObject({ designType: String });
    expect(properties.get('tags')).toMatchObject({ designType: Array, itemType: Number });
    expect(properties.get('lines')).toMatchObject({ itemType: Line, description: 'What was bought.' });
    expect(properties.get('own')).toMatchObject({ designType: String, description: 'Stated.' });
  });

  it('reads lists of an enum as swagger writes them', () => {
    class Enumerated {
      @Documented({ type: 'array', isArray: true, items: { type: 'string', enum: ['a'] } })
      list!: string[];
    }
    expect(documentedProperties(Enumerated).get('list')).toMatchObject({ designType: Array, itemType: String });
  });

  it('is empty for a class without documentation', () => {
    expect(documentedProperties(Line).size).toBe(0);
  });
});
