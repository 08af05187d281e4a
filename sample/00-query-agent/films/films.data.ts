import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FilmRead } from './film.read.js';

/** The films of the package `vega-datasets`, renamed and otherwise as they are. */
export function readFilms(): readonly FilmRead[] {
  const main = createRequire(import.meta.url).resolve('vega-datasets');
  const text = readFileSync(join(dirname(main), '../data/movies.json'), 'utf8');
  return (JSON.parse(text) as Record<string, never>[]).map((film, index) => ({
    id: index + 1,
    title: film['Title'] as unknown as string | null,
    genre: film['Major Genre'] as unknown as string | null,
    director: film['Director'] as unknown as string | null,
    rating: film['IMDB Rating'] as unknown as number | null,
    votes: film['IMDB Votes'] as unknown as number | null,
  }));
}
