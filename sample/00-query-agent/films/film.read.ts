import { IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { QueryPolicy } from 'nestjs-palette';

/** A film as the data has it: much is missing, and some titles are numbers. */
@QueryPolicy<FilmRead>({
  filterable: ['title', 'genre', 'director', 'rating', 'votes'],
  sortable: ['title', 'rating', 'votes'],
  aggregatable: { genre: 'group', director: 'group', rating: ['$avg', '$min', '$max'] },
})
export class FilmRead {
  /** The film's place in the data. */
  @IsInt() id!: number;
  @IsOptional() @IsString() title!: string | null;
  @IsOptional() @IsString() genre!: string | null;
  @IsOptional() @IsString() director!: string | null;
  /** IMDB, 0 to 10. */
  @IsOptional() @IsNumber() rating!: number | null;
  @IsOptional() @IsInt() votes!: number | null;
}
