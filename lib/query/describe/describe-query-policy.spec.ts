import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsDateString, IsEnum, IsInt, IsNumber, IsString, IsUUID } from 'class-validator';
import { BootFaults } from '../../common/index.js';
import { QueryPolicy, resolveQueryPolicy, type QueryPolicyAxes } from '../policy/index.js';
import { describeQueryPolicy } from './describe-query-policy.js';

enum Status {
  Draft = 'draft',
  Published = 'published',
}

@QueryPolicy({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: ['category'] })
class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() category!: string;
  @IsString() body!: string;
}

class ProductRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() sku!: string;
  @IsNumber() price!: number;
  @IsInt() stock!: number;
  @IsDateString() created_at!: string;
  @IsBoolean() sold!: boolean;
  @IsEnum(Status) status!: Status;
}

function sentence(options: QueryPolicyAxes<string>): string {
  const faults = new BootFaults();
  const policy = resolveQueryPolicy(ProductRead, { faults, where: 'test' }, options);
  expect(faults.list).toEqual([]);
  return describeQueryPolicy(policy);
}

const nothing = { filterable: [], sortable: [], aggregatable: [] } as const;

describe('describeQueryPolicy', () => {
  it('says of the recipe exactly what the design says', () => {
    const policy = resolveQueryPolicy(NoteRead, { faults: new BootFaults(), where: 'test' });
    expect(describeQueryPolicy(policy)).toBe(
      'Filterable fields — $eq, $ilike, $in, $like, $neq, $nin, $null, $regex on every field; string: category, title. ' +
        'Sortable by: title. Aggregatable by: category.',
    );
  });

  it('states each list of operators once, and refers to it by the label that has it', () => {
    expect(sentence({ ...nothing, filterable: ['title', 'price', 'created_at'] })).toBe(
      'Filterable fields — $eq, $in, $neq, $nin, $null on every field; string (also $ilike, $like, $regex): title; ' +
        'number (also $gt, $gte, $lt, $lte): price; temporal (as number): created_at.',
    );
  });

  it.each<[string, QueryPolicyAxes<string>, string]>([
    ['nothing of an all-empty policy', nothing, ''],
    ['only the axis that is not empty', { ...nothing, sortable: ['price', 'id'] }, 'Sortable by: id, price.'],
    ['fields alphabetically', { ...nothing, aggregatable: ['title', 'sku'] }, 'Aggregatable by: sku, title.'],
    [
      'no operators twice where all fields are of one kind',
      { ...nothing, filterable: ['stock', 'price'] },
      'Filterable fields — $eq, $gt, $gte, $in, $lt, $lte, $neq, $nin, $null on every field; number: price, stock.',
    ],
    [
      'the values of an enum',
      { ...nothing, filterable: ['status', 'sold', 'id'] },
      'Filterable fields — $eq, $in, $neq, $nin, $null on every field; boolean: sold; ' +
        'enum: status (draft, published); uuid: id.',
    ],
    [
      'groups of one label apart where their operators differ, and refers to the field then',
      { ...nothing, filterable: { price: ['$eq', '$gte'], stock: ['$eq', '$lte'], created_at: ['$eq', '$lte'] } },
      'Filterable fields — $eq on every field; number (also $gte): price; number (also $lte): stock; ' +
        'temporal (as stock): created_at.',
    ],
    [
      'lists without "also" where nothing is shared',
      { ...nothing, filterable: { title: ['$like'], price: ['$gte', '$lte'] } },
      'Filterable fields — string ($like): title; number ($gte, $lte): price.',
    ],
    [
      'a label without a list where all its operators are shared',
      { ...nothing, filterable: { title: ['$eq', '$like'], sku: ['$eq'] } },
      'Filterable fields — $eq on every field; string: sku; string (also $like): title.',
    ],
    [
      'what a field may be aggregated with, where that is not everything',
      { ...nothing, aggregatable: { title: 'group', price: ['$sum', '$avg'], stock: ['group', '$max'], sku: true } },
      'Aggregatable by: price ($avg, $sum), sku, stock (group, $max), title (group).',
    ],
  ])('says %s', (_what, options, expected) => {
    expect(sentence(options)).toBe(expected);
  });
});
