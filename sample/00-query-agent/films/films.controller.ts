import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  AggregateQueryBody,
  InMemoryQueryExecutor,
  ListQueryBody,
  Operation,
  toPage,
  type AggregateQuery,
  type ListQuery,
  type Page,
} from 'nestjs-palette';
import { JwtAuthGuard } from '../auth/jwt-auth.guard.js';
import { FilmRead } from './film.read.js';
import { readFilms } from './films.data.js';

@Controller('films')
@UseGuards(JwtAuthGuard)
export class FilmsController {
  readonly #executor = new InMemoryQueryExecutor<FilmRead>();
  readonly #films = readFilms();

  @Operation({ kind: 'query', description: 'List films by filters and sorts (offset pagination).' })
  @Post('list')
  @HttpCode(200)
  async list(@ListQueryBody(FilmRead) query: ListQuery<FilmRead>): Promise<Page<FilmRead>> {
    return toPage(query, await this.#executor.list(query, this.#films));
  }

  @Operation({ kind: 'query', description: 'Aggregate films: how many, and how they are rated.' })
  @Post('aggregate')
  @HttpCode(200)
  aggregate(@AggregateQueryBody(FilmRead) query: AggregateQuery<FilmRead>): Promise<Record<string, unknown>[]> {
    return this.#executor.aggregate(query, this.#films);
  }
}
