import {
  Body,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Res,
  StreamableFile,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  AgentCall,
  Caller,
  Operation,
  OperationsModule,
  operation,
  type AgentCallInfo,
  type CallerContext,
} from 'nestjs-palette';

/** What handlers were run, in order; a refusal must leave it as it was. */
export const handled: { handler: string; input: unknown }[] = [];

function record<T>(handler: string, input: T): T {
  handled.push({ handler, input });
  return input;
}

@Injectable()
export class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization === undefined) throw new UnauthorizedException();
    if (authorization === 'Bearer reader' || authorization === 'Bearer admin') return true;
    throw new ForbiddenException('not one of ours');
  }
}

@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    return authorization === 'Bearer admin';
  }
}

export class NoteDto {
  @IsString() @MaxLength(20) title!: string;
  @IsOptional() @IsInt() priority?: number;
}

export class SearchDto {
  @IsString() text!: string;
  @IsOptional() @IsBoolean() archived?: boolean;
  @IsOptional() @IsInt() limit?: number;
}

@Controller('notes')
@UseGuards(BearerGuard)
export class NotesController {
  @Operation({ description: 'Search notes.' })
  @Get()
  search(@Query() query: SearchDto): unknown {
    return record('search', { ...query });
  }

  @Operation({ description: 'Export all notes.' })
  @Get('export')
  export(): unknown {
    return record('export', 'everything');
  }

  @Operation({ description: 'Read one note.' })
  @Get(':id')
  read(@Param('id') id: string): unknown {
    return record('read', { id });
  }

  @Operation({ description: 'Read the versions of a note.' })
  @Get(':id/versions/:version')
  version(@Param('id') id: string, @Param('version', ParseIntPipe) version: number): unknown {
    return record('version', { id, version });
  }

  @Operation({ description: 'Create a note.' })
  @Post()
  create(@Body() note: NoteDto): unknown {
    return record('create', { ...note });
  }

  @Operation({ description: 'Replace a note.' })
  @Put(':title')
  replace(@Param('title') title: string, @Body() note: NoteDto): unknown {
    return record('replace', { path: title, body: { ...note } });
  }

  @Operation({ description: 'Delete a note.' })
  @UseGuards(AdminGuard)
  @HttpCode(204)
  @Delete(':id')
  remove(@Param('id') id: string): void {
    record('remove', { id });
  }

  @Operation({ description: 'Who is calling?' })
  @Post('whoami')
  whoami(@Caller() caller: CallerContext, @AgentCall() call: AgentCallInfo | undefined): unknown {
    return { headers: caller.headers, remoteAddress: caller.remoteAddress, call };
  }
}

interface PlainResponse {
  end(text?: string): void;
  destroy(): void;
  setHeader(name: string, value: string): void;
}

@Controller('answers')
export class AnswersController {
  @Operation() @Get('nothing') nothing(): void {}
  @Operation() @Get('text') text(): string {
    return 'plain text';
  }
  @Operation() @Get('list') list(): number[] {
    return [1, 2, 3];
  }
  @Operation() @Get('null') nil(): null {
    return null;
  }
  @Operation() @Get('file') file(): StreamableFile {
    return new StreamableFile(Buffer.alloc(300_000, 'x').subarray(0, 1_000), { type: 'application/pdf' });
  }
  @Operation() @Get('large') large(): string {
    return 'x'.repeat(300_000);
  }
  @Operation() @Get('missing') missing(): void {
    throw new NotFoundException('no such note');
  }
  @Operation() @Get('broken') broken(): void {
    throw new Error('secret connection string');
  }
  @Operation() @Get('slow') async slow(@Caller() caller: CallerContext): Promise<string> {
    await new Promise((resolve) => caller.signal?.addEventListener('abort', resolve));
    record('slow was told', true);
    return 'late';
  }
  @Operation() @Get('hang-up') hangUp(@Res() response: { raw?: PlainResponse } & PlainResponse): void {
    (response.raw ?? response).destroy();
  }
  @Operation() @Get('raw') raw(@Res() response: { raw?: PlainResponse } & PlainResponse): void {
    const plain = response.raw ?? response;
    plain.setHeader('content-type', 'application/json');
    plain.end('{"raw":true}');
  }
}

export const notesApplication: ModuleMetadata = {
  imports: [
    OperationsModule.forRoot({ dispatch: { forwardHeaders: ['x-tenant'] } }),
    OperationsModule.forFeature({
      palettes: [
        {
          name: 'notes',
          readOnly: false,
          include: [
            'notes.search',
            operation(NotesController, 'read'),
            'notes.version',
            'notes.create',
            'notes.replace',
            'notes.remove',
            'notes.whoami',
          ],
        },
        { name: 'answers', include: [...Object.getOwnPropertyNames(AnswersController.prototype)].slice(1).map(answer) },
      ],
    }),
  ],
  controllers: [NotesController, AnswersController],
};

function answer(method: string): string {
  return `answers.${method}`;
}

export function usePipes(app: INestApplication): void {
  app.useGlobalPipes(new ValidationPipe({ transform: true, transformOptions: { enableImplicitConversion: true } }));
}
