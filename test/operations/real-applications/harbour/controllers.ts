import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  Redirect,
  Request,
  SerializeOptions,
  SetMetadata,
  UnauthorizedException,
  UploadedFile,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiBearerAuth, ApiParam, ApiTags } from '@nestjs/swagger';
import { Operation } from 'nestjs-palette';
import { BerthDto, CreateSailorDto, QuerySailorsDto, Sailor, ShipDto, UpdateSailorDto } from './dtos.js';

interface HarbourRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: { readonly id: string };
}

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HarbourRequest>();
    const [, id] = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (id === undefined) throw new UnauthorizedException();
    request.user = { id };
    return true;
  }
}

const Ranks = (...ranks: readonly string[]): MethodDecorator & ClassDecorator => SetMetadata('ranks', ranks);

@ApiBearerAuth()
@Ranks('admin')
@UseGuards(TokenGuard)
@ApiTags('Sailors')
@Controller({ path: 'sailors', version: '1' })
export class SailorsController {
  @Operation()
  @SerializeOptions({ groups: ['admin'] })
  @Post()
  @HttpCode(HttpStatus.CREATED)
  create(@Body() sailor: CreateSailorDto): Sailor {
    return new Sailor({ id: 'new', mail: sailor.mail, secret: sailor.secret ?? '' });
  }

  @Operation()
  @SerializeOptions({ groups: ['admin'] })
  @Get()
  findAll(@Query() { page = 1, filters, sort }: QuerySailorsDto) {
    const found = [new Sailor({ id: '1', mail: 'a@example.com' })];
    return Promise.resolve({ data: found, page, filters: filters?.ranks ?? null, sort: sort ?? null });
  }

  @Operation()
  @Get(':id')
  @ApiParam({ name: 'id', type: String, required: true, description: 'Whose papers.' })
  findOne(@Param('id') id: Sailor['id']): Promise<Sailor | null> {
    return Promise.resolve(id === '0' ? null : new Sailor({ id, mail: 'a@example.com' }));
  }

  @Operation()
  @Patch(':id')
  @ApiParam({ name: 'id', type: String, required: true })
  update(@Param('id') id: Sailor['id'], @Body() changes: UpdateSailorDto) {
    return { id, changes };
  }

  @Operation()
  @Delete(':id')
  @HttpCode(HttpStatus.NO_CONTENT)
  remove(@Param('id') _id: Sailor['id']): Promise<void> {
    return Promise.resolve();
  }
}

@ApiTags('Account')
@Controller({ path: 'account', version: '1' })
export class AccountController {
  @Operation()
  @SerializeOptions({ groups: ['me'] })
  @Get('me')
  @UseGuards(TokenGuard)
  me(@Request() { user }: HarbourRequest): Sailor {
    return new Sailor({ id: user?.id ?? '', mail: 'me@example.com', secret: 'hidden' });
  }

  @Operation()
  @Post('logout')
  @UseGuards(TokenGuard)
  @HttpCode(HttpStatus.NO_CONTENT)
  async logout(@Request() _request: HarbourRequest): Promise<void> {
    await Promise.resolve();
  }
}

@ApiTags('Ships')
@Controller({ path: 'ships', version: ['1', '2'] })
export class ShipsController {
  @Operation() @Post() load(@Body() ship: ShipDto) {
    return ship;
  }

  @Operation() @Post(':number/berth') moor(@Param('number', ParseIntPipe) number: number, @Body() berth: BerthDto) {
    return { number, berth };
  }

  @Post('papers') papers(@UploadedFile() papers: object) {
    return papers;
  }

  @Get('map') @Redirect('https://example.com/map') map(): void {}

  @Get('charts/*') chart(@Param() path: object) {
    return path;
  }
}

@Controller()
export class HomeController {
  @Operation() @Get() home() {
    return { name: 'harbour' };
  }
}
