import { IsBoolean, IsDate, IsEnum, IsInt, IsNumber, IsString, IsUUID } from 'class-validator';
import fc from 'fast-check';
import { QueryPolicy } from '../../../lib/query/index.js';

export enum Status {
  Published = 'published',
  Draft = 'draft',
  Archived = 'Archived',
}

export enum Level {
  High = 2,
  Low = 1,
}

/** A read model with a field of every kind. Doubles are summed where the sum is exact, so that no order can matter. */
@QueryPolicy({
  aggregatable: {
    title: true,
    sku: true,
    price: true,
    ratio: ['group', '$count_distinct', '$min', '$max'],
    stock: true,
    cost: true,
    views: true,
    sold: true,
    status: true,
    level: true,
    released: true,
    createdAt: true,
  },
  kinds: { cost: 'decimal', views: 'bigint', released: 'date' },
})
export class AwkwardRead {
  @IsUUID() id!: string;
  @IsString() title!: string | null;
  @IsString() sku!: string | null;
  @IsNumber() price!: number | null;
  @IsNumber() ratio!: number | null;
  @IsInt() stock!: number | null;
  @IsString() cost!: string | null;
  @IsString() views!: string | null;
  @IsBoolean() sold!: boolean | null;
  @IsEnum(Status) status!: Status | null;
  @IsEnum(Level) level!: Level | null;
  @IsString() released!: string | null;
  @IsDate() createdAt!: Date | null;
}

export type AwkwardField = Exclude<keyof AwkwardRead, 'id'>;

const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  ' a',
  'ab',
  'aB',
  'AB',
  'b%',
  'b_',
  'b!',
  '\\',
  'a\\b',
  '[a]',
  '*',
  '?',
  'ä',
  'Ä',
  'ae',
];
const MORE_TEXTS = [
  'ß',
  'ss',
  'é',
  'e\u0301',
  '😀',
  '😀a',
  '\uffee',
  "'; --",
  '"',
  ':a',
  '$1',
  '?1',
  'null',
  '0',
  '300',
  'i',
  'İ',
];

/** What rows hold. `cost` has decimals that no double holds only where the store is exact. */
export const VALUES = {
  title: [...TEXTS, ...MORE_TEXTS],
  sku: [...TEXTS, ...MORE_TEXTS, null, null],
  price: [-1, 0, 0.5, 2.25, 1024, 1e9, null],
  ratio: [
    0.1,
    0.30000000000000004,
    1 / 3,
    -1e-7,
    1e21,
    5e-324,
    1.7976931348623157e308,
    16777217,
    9007199254740991,
    null,
  ],
  stock: [-3, 0, 7, 2147483647, -2147483648, null],
  cost: ['0.1', '0.3', '10.0001', '-2', '0', '100000000000000000000', '-0.0000000001', null],
  views: ['0', '9007199254740993', '9007199254740992', '-9007199254740993', '-5', '36028797018963969', null],
  sold: [true, false, null],
  status: [Status.Draft, Status.Published, Status.Archived, null],
  level: [Level.Low, Level.High, null],
  released: ['2023-12-31', '2024-01-01', '2024-02-29', '0999-12-31', '9999-12-31', null],
  createdAt: [
    '2024-03-31T00:59:59.999Z',
    '2024-03-31T01:00:00.000Z',
    '2024-03-30T23:59:59.999Z',
    '2024-03-31T00:00:00.000Z',
    '2024-10-27T03:00:00.500Z',
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.000Z',
    null,
  ],
} as const satisfies Readonly<Record<AwkwardField, readonly unknown[]>>;

/** Decimals that only exact columns hold. */
export const EXACT_COSTS: readonly string[] = ['12345678901234567890.1234567891', '12345678901234567890.1234567892'];

/** Operands that no row holds, near those that some do, and past what columns can hold. */
export const STRANGERS: Readonly<Record<AwkwardField, readonly unknown[]>> = {
  title: ['zzz', 'a  ', 'Ab'],
  sku: ['zzz', 'AE', 'SS'],
  price: [0.25, 1e300, -1e300, 1e-300],
  ratio: [0.1 + Number.EPSILON, 0.3, 1e-323, 9007199254740992, -0],
  stock: [1, 2147483648, -9007199254740991, 9007199254740991],
  cost: [
    '0.10000000000000000555',
    '0.09999999999999999999',
    '0.1000000000000000055511151231257827',
    `${'9'.repeat(40)}.5`,
    `-${'9'.repeat(40)}`,
  ],
  views: ['9007199254740994', '9223372036854775807', '9223372036854775808', '9'.repeat(40), `-${'9'.repeat(40)}`],
  sold: [],
  status: [],
  level: [],
  released: ['2024-01-02', '0001-01-01'],
  createdAt: [
    '2024-03-31T00:59:59.999001Z',
    '2024-03-31T02:59:59.999+02:00',
    '2024-10-27T03:00:00Z',
    '0001-01-01T00:00:00Z',
  ],
};

/** 200 rows, the same ones each time. */
export function awkwardRows({ isExact }: { readonly isExact: boolean }): AwkwardRead[] {
  const values = { ...VALUES, cost: [...VALUES.cost, ...(isExact ? EXACT_COSTS : [])] };
  const columns = Object.entries(values).map(([name, list]) => [name, fc.constantFrom<unknown>(...list)] as const);
  return fc.sample(fc.record(Object.fromEntries(columns)), { seed: 7, numRuns: 200 }).map((row, index) =>
    Object.assign(new AwkwardRead(), row, {
      id: `0000000a-0000-4000-8000-${String((index * 7919) % 200).padStart(12, '0')}`,
      createdAt: typeof row['createdAt'] === 'string' ? new Date(row['createdAt']) : null,
    }),
  );
}
