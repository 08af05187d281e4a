import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { toPage, type AggregateQuery, type ListQuery, type Page } from 'nestjs-palette';
import { TypeOrmQueryExecutor } from 'nestjs-palette/typeorm';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { FilmRead } from '../../00-query-agent/films/film.read.js';
import { Film } from './film.entity.js';

@Injectable()
export class FilmsService implements OnModuleDestroy {
  readonly #executor: TypeOrmQueryExecutor<FilmRead, Film>;

  constructor(private readonly dataSource: DataSource) {
    this.#executor = new TypeOrmQueryExecutor(dataSource.getRepository(Film), { readModel: FilmRead });
  }

  async list(query: ListQuery<FilmRead>): Promise<Page<FilmRead>> {
    return toPage(query, await this.#executor.list(query, this.#scope()));
  }

  aggregate(query: AggregateQuery<FilmRead>): Promise<Record<string, unknown>[]> {
    return this.#executor.aggregate(query, this.#scope());
  }

  onModuleDestroy(): Promise<void> {
    return this.dataSource.destroy();
  }

  /** What every caller may see, whatever it asks: films with a title. */
  #scope(): SelectQueryBuilder<Film> {
    return this.dataSource.getRepository(Film).createQueryBuilder('film').where('film.title IS NOT NULL');
  }
}
