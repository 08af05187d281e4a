import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  NotFoundException,
  Post,
  Put,
  Query,
  UploadedFile,
  UseInterceptors,
  ValidationPipe,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Operation } from 'nestjs-palette';
import { of, type Observable } from 'rxjs';
import { Access, CurrentReader, LanguageInterceptor, RequestLanguage, UuidParam, type Reader } from './decorators.js';
import { ReaderDto, ReadersPageOptionsDto, Role, SignInDto, SignUpDto } from './dtos.js';
// As a lint rule has it: the class is gone once the compiler is through.
import type { EntryDto } from './dtos.js';

@ApiTags('sessions')
@Controller('sessions')
export class SessionsController {
  @Operation({ kind: 'query' })
  @ApiOperation({ summary: 'Sign in', description: 'Answers whether mail and secret belong together.' })
  @Post('in')
  @HttpCode(HttpStatus.OK)
  signIn(@Body() { mail, secret }: SignInDto) {
    return { mail, isKnown: secret === 'open sesame' };
  }

  @Post('up')
  @HttpCode(HttpStatus.OK)
  signUpWithPicture(@Body() reader: SignUpDto, @UploadedFile() picture?: object) {
    return { reader, picture };
  }

  @Operation()
  @Post('up/plain')
  signUp(@Body() reader: SignUpDto) {
    return { ...reader, secret: undefined };
  }

  @Operation()
  @Version('1')
  @Get('me')
  @Access([Role.Reader, Role.Keeper])
  me(@CurrentReader() { id, role }: Reader): ReaderDto {
    return new ReaderDto({ id, role, fullName: 'Ada', secret: 'hidden' });
  }
}

@ApiTags('readers')
@Controller('readers')
export class ReadersController {
  @Operation()
  @Get('keepers')
  @Access([Role.Keeper])
  @Header('cache-control', 'no-store')
  keepers(@CurrentReader() reader: Reader, @RequestLanguage() language: string): string {
    return `${language} ${reader.role}`;
  }

  @Operation()
  @ApiOperation({ summary: 'List readers' })
  @Get()
  @Access()
  list(@Query(new ValidationPipe({ transform: true })) options: ReadersPageOptionsDto) {
    return { ...options, skip: options.skip };
  }

  @Operation()
  @Get(':id')
  @Access()
  read(@UuidParam('id') id: string): ReaderDto {
    if (id.startsWith('dead')) throw new NotFoundException('No such reader');
    return new ReaderDto({ id, fullName: 'Ada', role: Role.Reader, secret: 'hidden' });
  }
}

@ApiTags('entries')
@Controller('entries')
export class EntriesController {
  @Operation()
  @Post()
  @Access([Role.Keeper])
  create(@Body() entry: EntryDto, @CurrentReader() { id }: Reader) {
    return { by: id, entry: typeof entry };
  }

  @Operation()
  @Put(':id')
  @Access([Role.Keeper])
  replace(@UuidParam('id') id: string, @Body() entry: EntryDto) {
    return { id, entry: typeof entry };
  }

  @Operation()
  @Get()
  @Access([], { isPublic: true })
  @UseInterceptors(LanguageInterceptor)
  list(@Query() options: ReadersPageOptionsDto, @RequestLanguage() language: string) {
    return { language, take: options.take };
  }

  @Operation()
  @Get('found')
  found(): Observable<readonly string[]> {
    return of(['Moby Dick']);
  }
}

@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  @Operation({ description: 'Whether the room is open.' }) @Get() check() {
    return { status: 'ok' };
  }
}

/** What TypeScript's own compiler leaves of a class behind `import type`. */
Reflect.defineMetadata('design:paramtypes', [String, Function], EntriesController.prototype, 'replace');
