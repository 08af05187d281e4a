import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  AggregateQueryBody,
  ListQueryBody,
  Operation,
  type AggregateQuery,
  type ListQuery,
  type Page,
} from 'nestjs-palette';
import { JwtAuthGuard } from '../auth/jwt-auth.guard.js';
import { Roles } from '../auth/roles.decorator.js';
import { NoteRead } from './note.read.js';
import { NotesService } from './notes.service.js';

@Controller('notes')
@UseGuards(JwtAuthGuard)
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Operation({ kind: 'query', description: 'List notes by filters and sorts (offset pagination).' })
  @Post('list')
  @HttpCode(200)
  list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>): Promise<Page<NoteRead>> {
    return this.notes.list(query);
  }

  @Operation({ kind: 'query', description: 'Aggregate notes.' })
  @Post('aggregate')
  @HttpCode(200)
  @Roles(['analyst'])
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>): Promise<Record<string, unknown>[]> {
    return this.notes.aggregate(query);
  }
}
