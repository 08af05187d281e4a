import { DataSource } from 'typeorm';
import { readFilms } from '../../00-query-agent/films/films.data.js';
import { Film } from './film.entity.js';

const ROWS_PER_INSERT = 500;

/** A database in memory with the 3,201 films of `vega-datasets`. */
export async function openFilms(): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Film],
    synchronize: true,
  });
  await dataSource.initialize();
  const films = readFilms().map((film) => ({ ...film, title: film.title === null ? null : String(film.title) }));
  for (let start = 0; start < films.length; start += ROWS_PER_INSERT) {
    await dataSource.getRepository(Film).insert(films.slice(start, start + ROWS_PER_INSERT));
  }
  return dataSource;
}
