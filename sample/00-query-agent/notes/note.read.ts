import { IsString, IsUUID } from 'class-validator';
import { QueryPolicy } from 'nestjs-palette';

@QueryPolicy<NoteRead>({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: ['category'] })
export class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() category!: string;
  @IsString() body!: string;
}
