import {
  applyDecorators,
  Body,
  Controller,
  createParamDecorator,
  Delete,
  ForbiddenException,
  Get,
  Headers,
  HttpCode,
  HttpStatus,
  Injectable,
  Ip,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  SetMetadata,
  Sse,
  StreamableFile,
  UnauthorizedException,
  UploadedFiles,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiExtension, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Operation } from 'nestjs-palette';
import { of, type Observable } from 'rxjs';
import {
  ChangePlateDto,
  DevelopDto,
  IdParameters,
  LabelDto,
  LabelParameters,
  ListPlatesDto,
  PlateIdsDto,
  SearchPlatesDto,
} from './schemas.js';

interface Keys {
  readonly name: string;
  readonly permissions: readonly string[];
}

interface DarkroomRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  keys?: Keys;
}

const KEYS: ReadonlyMap<string, Keys> = new Map([
  ['Bearer all', { name: 'all', permissions: ['plate.read', 'plate.change'] }],
  ['Bearer read', { name: 'read', permissions: ['plate.read'] }],
]);

@Injectable()
export class KeysGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const permission = this.reflector.get<string | undefined>('permission', context.getHandler());
    const request = context.switchToHttp().getRequest<DarkroomRequest>();
    const keys = KEYS.get(request.headers['authorization'] ?? '');
    if (keys === undefined) throw new UnauthorizedException('No key');
    if (permission !== undefined && !keys.permissions.includes(permission))
      throw new ForbiddenException(`Needs ${permission}`);
    request.keys = keys;
    return true;
  }
}

function Authenticated({ permission }: { readonly permission?: string } = {}): MethodDecorator {
  return applyDecorators(SetMetadata('permission', permission), UseGuards(KeysGuard));
}

function Endpoint({
  since,
  ...texts
}: {
  readonly summary: string;
  readonly description?: string;
  readonly since: string;
}): MethodDecorator {
  return applyDecorators(ApiOperation(texts), ApiExtension('x-history', [{ version: since }]));
}

function FileAnswer(): MethodDecorator {
  return applyDecorators(
    ApiOkResponse({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }),
  );
}

const Auth = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<DarkroomRequest>().keys;
});

/** What Express and Fastify have in common. */
interface Answer {
  status(status: number): Answer;
  type(type: string): Answer;
  send(body: unknown): void;
}

@ApiTags('Plates')
@Controller('plates')
export class PlatesController {
  @Operation()
  @Get()
  @Authenticated({ permission: 'plate.read' })
  @ApiQuery({ name: 'dto', type: ListPlatesDto, required: false, description: 'What to list.' })
  @Endpoint({ summary: 'List plates', description: 'List the plates of the darkroom.', since: 'v1' })
  list(@Auth() { name }: Keys, @Query() dto: ListPlatesDto) {
    return { name, ...dto };
  }

  @Operation({ kind: 'query' })
  @Post('search')
  @Authenticated({ permission: 'plate.read' })
  @HttpCode(HttpStatus.OK)
  @ApiBody({ description: 'What to search for.', type: SearchPlatesDto })
  @Endpoint({ summary: 'Search plates', since: 'v1' })
  search(@Auth() _keys: Keys, @Body() dto: SearchPlatesDto) {
    return dto;
  }

  @Operation()
  @Post()
  @Authenticated({ permission: 'plate.change' })
  @Endpoint({ summary: 'Develop a plate', since: 'v1' })
  develop(
    @Auth() { name }: Keys,
    @Body() dto: DevelopDto,
    @Headers('x-checksum') checksum: string,
    @Res({ passthrough: true }) response: Answer,
  ) {
    if (dto.name === 'again') response.status(HttpStatus.OK);
    return { by: name, checksum: checksum ?? null, ...dto };
  }

  @Operation()
  @Delete()
  @Authenticated({ permission: 'plate.change' })
  @HttpCode(HttpStatus.NO_CONTENT)
  removeAll(@Auth() _keys: Keys, @Body() _dto: PlateIdsDto): Promise<void> {
    return Promise.resolve();
  }

  @Operation()
  @Get(':id')
  @Authenticated({ permission: 'plate.read' })
  read(@Auth() _keys: Keys, @Param() { id }: IdParameters, @Ip() ip: string) {
    return { id, isLocal: ip.includes('127.0.0.1') };
  }

  @Operation()
  @Patch(':id')
  @Authenticated({ permission: 'plate.change' })
  change(@Auth() _keys: Keys, @Param() { id }: IdParameters, @Body() dto: ChangePlateDto) {
    return { id, ...dto };
  }

  @Operation()
  @Get(':id/file')
  @FileAnswer()
  @Authenticated({ permission: 'plate.read' })
  file(@Res() response: Answer, @Auth() _keys: Keys, @Param() { id }: IdParameters): void {
    response.type('image/png').send(Buffer.from(id));
  }

  @Operation()
  @Get(':id/print')
  @FileAnswer()
  @Authenticated({ permission: 'plate.read' })
  print(@Param() { id }: IdParameters): StreamableFile {
    return new StreamableFile(Buffer.from(id), { type: 'image/jpeg' });
  }

  @Operation()
  @Put(':id/labels/:key')
  @Authenticated({ permission: 'plate.change' })
  label(@Auth() _keys: Keys, @Param() { id, key }: LabelParameters, @Body() { value }: LabelDto) {
    return { id, key, value };
  }

  @Post('upload')
  @Authenticated({ permission: 'plate.change' })
  upload(@Auth() _keys: Keys, @UploadedFiles() files: readonly object[], @Body() _dto: DevelopDto) {
    return files.length;
  }

  @Sse('events') events(): Observable<object> {
    return of({ data: 'developed' });
  }
}
