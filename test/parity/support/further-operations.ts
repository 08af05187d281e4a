import {
  ConflictException,
  Controller,
  Get,
  HttpCode,
  Post,
  StreamableFile,
  UnprocessableEntityException,
} from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import {
  AggregateQueryBody,
  InMemoryQueryExecutor,
  ListQueryBody,
  Operation,
  QueryPolicy,
  toPage,
  type AggregateQuery,
  type ListQuery,
  type Page,
} from 'nestjs-palette';
import { handled } from '../../dispatch/notes-application.js';

@QueryPolicy<FilmRead>({ filterable: ['title', 'year'], sortable: ['year'], aggregatable: ['year'] })
class FilmRead {
  @IsString() title!: string;
  @IsInt() year!: number;
}

const FILMS: FilmRead[] = [
  { title: 'a', year: 1999 },
  { title: 'b', year: 2001 },
  { title: 'c', year: 2001 },
];

/** Queries, and refusals and answers of further shapes. */
@Controller('films')
export class FilmsController {
  readonly #executor = new InMemoryQueryExecutor<FilmRead>();

  @Operation({ kind: 'query', description: 'List films.' })
  @Post('list')
  @HttpCode(200)
  async list(@ListQueryBody(FilmRead) query: ListQuery<FilmRead>): Promise<Page<FilmRead>> {
    handled.push({ handler: 'films.list', input: undefined });
    return toPage(query, await this.#executor.list(query, FILMS));
  }

  @Operation({ kind: 'query', description: 'Count films.' })
  @Post('aggregate')
  @HttpCode(200)
  aggregate(@AggregateQueryBody(FilmRead) query: AggregateQuery<FilmRead>): Promise<Record<string, unknown>[]> {
    handled.push({ handler: 'films.aggregate', input: undefined });
    return this.#executor.aggregate(query, FILMS);
  }

  @Operation({ description: 'Lends a film that somebody has.' })
  @Post('lend')
  lend(): void {
    handled.push({ handler: 'films.lend', input: undefined });
    const details = { by: 'ada', until: ['today', { or: 'tomorrow' }] };
    throw new ConflictException({ code: 'film_lent', message: 'Ada has it.', details });
  }

  @Operation({ description: 'Returns a film that nobody has.' })
  @Post('return')
  return(): void {
    throw new UnprocessableEntityException('Nobody has it.');
  }

  @Operation({ description: 'The title.' })
  @Get('title')
  title(): string {
    return 'Der Titel „ä“';
  }

  @Operation({ description: 'The poster.' })
  @Get('poster')
  poster(): StreamableFile {
    return new StreamableFile(Buffer.alloc(2_000, 'x'), { type: 'image/png' });
  }
}
