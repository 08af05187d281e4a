import { BadRequestException, Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { IsObject, IsOptional, IsString } from 'class-validator';
import {
  InMemoryQueryExecutor,
  ListQueryBody,
  Operation,
  QueryPolicy,
  toPage,
  type ListQuery,
  type Page,
} from 'nestjs-palette';

@QueryPolicy<NoteRead>({ filterable: ['title'], sortable: ['title'], aggregatable: [] })
class NoteRead {
  @IsString() title!: string;
}

class AddressDto {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsObject() address?: object;
}

/** The tools that the conformance suite asks for by name, as far as operations can be them. */
@Controller('conformance')
export class ConformanceController {
  readonly #executor = new InMemoryQueryExecutor<NoteRead>();

  @Operation({ name: 'test_simple_text', description: 'Answers with text.' })
  @Get('text')
  text(): string {
    return 'This is a simple text response for testing.';
  }

  @Operation({ name: 'test_error_handling', description: 'Refuses.' })
  @Get('error')
  error(): void {
    throw new BadRequestException('This tool intentionally returns an error for testing');
  }

  @Operation({ name: 'test_tool_with_progress', description: 'Takes a moment.' })
  @Get('progress')
  async progress(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 250));
    return { done: true };
  }

  @Operation({ name: 'json_schema_2020_12_tool', kind: 'query', description: 'Takes an address.' })
  @Post('schema')
  @HttpCode(200)
  schema(@Body() body: AddressDto): unknown {
    return body;
  }

  @Operation({ name: 'notes.list', kind: 'query', description: 'List notes.' })
  @Post('notes')
  @HttpCode(200)
  async notes(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>): Promise<Page<NoteRead>> {
    return toPage(query, await this.#executor.list(query, [{ title: 'a' }]));
  }
}
