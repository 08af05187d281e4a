import { plainToInstance, Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  validate,
  ValidateNested,
} from 'class-validator';
import { Query } from 'mingo';
import { InMemoryQueryExecutor, parseListQuery, QueryPolicy, resolveQueryPolicy, toPage } from 'nestjs-palette';
import siftModule from 'sift';
import { measure, microsecondsPerCall, type BenchRow } from './measure.js';

// Its types say that the function is the default; under Node's own modules it is one level deeper.
const sift = siftModule as unknown as (filter: object) => (row: Film) => boolean;

@QueryPolicy<Film>({ filterable: ['title', 'genre', 'year', 'rating'], sortable: ['rating', 'title', 'year'] })
class Film {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() genre!: string;
  @IsInt() year!: number;
  @IsNumber() @IsOptional() rating!: number | null;
}

class ConditionDto {
  @IsIn(['title', 'genre', 'year', 'rating']) field!: string;
  @IsIn(['$eq', '$in', '$gte', '$lte', '$like']) operator!: string;
  @IsString({ each: true }) values!: string[];
}

class FilterDto {
  @IsArray() @ValidateNested({ each: true }) @Type(() => ConditionDto) conditions!: ConditionDto[];
}

const policy = resolveQueryPolicy(Film);
const GENRES = ['drama', 'comedy', 'horror', 'noir', 'western', 'musical', 'war', 'crime'];

const FILMS: readonly Film[] = Array.from({ length: 100_000 }, (_, index) => ({
  id: `00000000-0000-4000-8000-${String((index * 7919) % 100_000).padStart(12, '0')}`,
  title: `${String.fromCharCode(65 + ((index * 31) % 26))} film ${(index * 104_729) % 99_991}`,
  genre: GENRES[(index * 13) % GENRES.length] as string,
  year: 1920 + ((index * 17) % 105),
  rating: index % 11 === 0 ? null : ((index * 37) % 1000) / 100,
}));

/** The clauses of a list query against reading as many with class-validator; a list of 100,000 rows against other ways to it. */
export async function* query(): AsyncGenerator<BenchRow> {
  yield await planAgainstValidation();
  yield await listAgainst('a hand-written filter, sort and page', 2, byHand);
  yield await listAgainst('mingo', 1, byMingo);
  yield await listAgainst('sift, its rows sorted by hand', 1, bySift);
}

function planAgainstValidation(): Promise<BenchRow> {
  const text = JSON.stringify({ filters: twentyClauses(), sorts: { rating: 'desc' }, size: 20 });
  const conditions = Array.from({ length: 20 }, () => ({ field: 'title', operator: '$like', values: ['A%'] }));
  const validated = JSON.stringify({ conditions });
  return measure({
    bench: 'query',
    row: '20 clauses to a plan against class-validator',
    unit: 'us/query',
    maxRatio: 1,
    rounds: 9,
    ours: () => microsecondsPerCall(2_000, async () => parseListQuery(JSON.parse(text), policy)),
    other: () => microsecondsPerCall(2_000, async () => validate(plainToInstance(FilterDto, JSON.parse(validated)))),
  });
}

function twentyClauses(): object {
  const five = (index: number): object => ({
    $values: {
      title: { $like: `A${index}%`, $neq: 'x' },
      genre: { $in: ['drama', 'noir'] },
      year: { $gte: 1950 },
      rating: { $lte: 9.5 },
    },
  });
  return { $or: [five(1), { $not: five(2) }, { $and: [five(3), five(4)] }] };
}

const QUERY = {
  filters: {
    $and: [
      { $values: { year: { $gte: 1950, $lt: 2010 } } },
      { $or: [{ $values: { genre: ['drama', 'noir', 'war'] } }, { $values: { rating: { $gte: 9 } } }] },
    ],
  },
  sorts: { rating: 'desc', title: 'asc' },
  page: 3,
  size: 20,
};

const MONGO = {
  year: { $gte: 1950, $lt: 2010 },
  $or: [{ genre: { $in: ['drama', 'noir', 'war'] } }, { rating: { $gte: 9 } }],
};

async function listAgainst(what: string, maxRatio: number, other: () => readonly Film[]): Promise<BenchRow> {
  const executor = new InMemoryQueryExecutor<Film>(FILMS);
  const ours = async (): Promise<readonly Film[]> => {
    const plan = parseListQuery(QUERY, policy);
    return toPage(plan, await executor.list(plan)).hits;
  };
  if (idsOf(await ours()) !== idsOf(other())) throw new Error(`Not the same rows as ${what}.`);
  return measure({
    bench: 'query',
    row: `100,000 rows against ${what}`,
    unit: 'us/list',
    maxRatio,
    rounds: 9,
    ours: () => microsecondsPerCall(5, ours),
    other: () => microsecondsPerCall(5, async () => other()),
  });
}

function byHand(): readonly Film[] {
  const genres = new Set(['drama', 'noir', 'war']);
  return FILMS.filter(
    ({ year, genre, rating }) => year >= 1950 && year < 2010 && (genres.has(genre) || (rating !== null && rating >= 9)),
  )
    .sort(bestFirst)
    .slice(40, 60);
}

function bySift(): readonly Film[] {
  return FILMS.filter(sift(MONGO)).sort(bestFirst).slice(40, 60);
}

function byMingo(): readonly Film[] {
  return new Query(MONGO)
    .find<Film>([...FILMS])
    .sort({ rating: -1, title: 1, id: 1 })
    .skip(40)
    .limit(20)
    .all();
}

function bestFirst(a: Film, b: Film): number {
  const [left, right] = [a.rating ?? -Infinity, b.rating ?? -Infinity];
  if (left !== right) return right - left;
  if (a.title !== b.title) return a.title < b.title ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function idsOf(films: readonly Film[]): string {
  return films.map(({ id }) => id).join();
}
