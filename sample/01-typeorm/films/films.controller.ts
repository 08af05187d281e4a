import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  AggregateQueryBody,
  ListQueryBody,
  Operation,
  type AggregateQuery,
  type ListQuery,
  type Page,
} from 'nestjs-palette';
import { JwtAuthGuard } from '../../00-query-agent/auth/jwt-auth.guard.js';
import { FilmRead } from '../../00-query-agent/films/film.read.js';
import { FilmsService } from './films.service.js';

@Controller('films')
@UseGuards(JwtAuthGuard)
export class FilmsController {
  constructor(private readonly films: FilmsService) {}

  @Operation({ kind: 'query', description: 'List films by filters and sorts (offset pagination).' })
  @Post('list')
  @HttpCode(200)
  list(@ListQueryBody(FilmRead) query: ListQuery<FilmRead>): Promise<Page<FilmRead>> {
    return this.films.list(query);
  }

  @Operation({ kind: 'query', description: 'Aggregate films: how many, and how they are rated.' })
  @Post('aggregate')
  @HttpCode(200)
  aggregate(@AggregateQueryBody(FilmRead) query: AggregateQuery<FilmRead>): Promise<Record<string, unknown>[]> {
    return this.films.aggregate(query);
  }
}
