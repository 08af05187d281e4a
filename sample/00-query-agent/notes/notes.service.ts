import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InMemoryQueryExecutor, toPage, type AggregateQuery, type ListQuery, type Page } from 'nestjs-palette';
import type { NoteRead } from './note.read.js';

@Injectable()
export class NotesService {
  readonly #executor = new InMemoryQueryExecutor<NoteRead>();
  readonly #notes: readonly NoteRead[] = [
    note('Groceries', 'home', 'Milk, flour, two lemons.'),
    note('Plumber', 'home', 'Comes on Thursday between nine and eleven.'),
    note('Quarterly numbers', 'work', 'Revenue is up by four percent; keep it to yourself.'),
    note('Offsite', 'work', 'Train leaves at 7:42.'),
    note('Retrospective', 'work', 'More tests, fewer meetings.'),
    note('Reading list', 'ideas', 'Start with the shortest.'),
  ];

  async list(query: ListQuery<NoteRead>): Promise<Page<NoteRead>> {
    return toPage(query, await this.#executor.list(query, this.#notes));
  }

  aggregate(query: AggregateQuery<NoteRead>): Promise<Record<string, unknown>[]> {
    return this.#executor.aggregate(query, this.#notes);
  }
}

function note(title: string, category: string, body: string): NoteRead {
  return { id: randomUUID(), title, category, body };
}
