import {
  All,
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
  Post,
  Put,
  Query,
  RawBody,
  Render,
  Req,
  Session,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Operation } from 'nestjs-palette';
import { map, type Observable } from 'rxjs';
import { CrudController, type Row } from './crud.controller.js';
import { AccountDto, CreateTaskDto, InvoiceFieldsDto, PageParamsDto, UpdateTaskDto } from './dtos.js';
import { HandmadePipe, RowIdPipe } from './pipes.js';

interface LedgerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  user?: Record<string, string>;
}

@Injectable()
export class TenantGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<LedgerRequest>();
    const [, name] = /^Bearer (\w+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (name === undefined) throw new UnauthorizedException();
    request.user = { name, tenant: 'acme' };
    const needed = this.reflector.getAllAndOverride<string | undefined>('permission', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (needed !== undefined && name !== 'owner') throw new ForbiddenException(`${needed} is missing`);
    return true;
  }
}

const Permission = (permission: string): MethodDecorator & ClassDecorator => SetMetadata('permission', permission);

const User = createParamDecorator((key: string | undefined, context: ExecutionContext) => {
  const { user } = context.switchToHttp().getRequest<LedgerRequest>();
  return key === undefined ? user : user?.[key];
});

/** Puts each answer in an envelope. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

export interface Task extends Row {
  readonly title: string;
}

/** Says otherwise than its base what some of the operations take. */
@ApiTags('Tasks')
@UseGuards(TenantGuard)
@Controller({ path: 'tasks', version: '2' })
export class TasksController extends CrudController<Task> {
  @Operation()
  @ApiOperation({ summary: 'Find my tasks.' })
  @Get('me')
  @UsePipes(new ValidationPipe({ transform: true }))
  mine(@Query() params: PageParamsDto<Task>, @User('name') name: string) {
    return { name, ...params };
  }

  @Operation()
  @ApiOperation({ summary: 'Create a task.' })
  @HttpCode(HttpStatus.ACCEPTED)
  @Permission('tasks.add')
  @Post()
  @UsePipes(new ValidationPipe({ whitelist: true }))
  override create(@Body() entity: CreateTaskDto): unknown {
    return entity;
  }

  @Operation()
  @HttpCode(HttpStatus.ACCEPTED)
  @Put(':id')
  @UsePipes(new ValidationPipe({ whitelist: true }))
  override update(@Param('id', RowIdPipe) id: Task['id'], @Body() entity: UpdateTaskDto): unknown {
    return { id, ...entity };
  }

  @Operation()
  @Delete(':id')
  @Permission('tasks.remove')
  remove(@Param('id', RowIdPipe) _id: Task['id']): Promise<void> {
    return Promise.resolve();
  }
}

/** Of the days before classes stood for bodies. */
@Controller()
export class AccountsController {
  @Operation() @Get('account') @UseGuards(TenantGuard) me(@User('name') name: string, @User() user: object) {
    return { name, user };
  }

  @Operation() @Post('accounts') @UsePipes(new HandmadePipe()) create(@Body('account') account: AccountDto) {
    return { account: { ...account, secret: undefined } };
  }

  @Operation() @Delete('accounts/:slug') remove(@Param() params: Record<string, string>) {
    return params;
  }

  @Operation()
  @Get('accounts')
  @ApiQuery({ name: 'limit', type: Number, required: false, description: 'How many.' })
  list(@Query() query: Record<string, unknown>) {
    return query;
  }
}

@Controller('imports')
@UseInterceptors(EnvelopeInterceptor)
export class ImportsController {
  @Operation()
  @ApiBody({ type: [InvoiceFieldsDto] })
  @Post('invoices')
  invoices(
    @Body() invoices: InvoiceFieldsDto[],
    @Headers('x-source') source: string,
    @Headers() headers: Record<string, string>,
  ) {
    return { count: invoices.length, source: source ?? null, isJson: headers['content-type'] === 'application/json' };
  }

  @Operation()
  @Get('last')
  last(@Req() { method }: LedgerRequest, @Ip() ip: string, @Session() session?: object) {
    return { method, hasAddress: ip !== '', hasSession: session !== undefined };
  }

  @Post('signed') signed(@RawBody() body: Buffer) {
    return body.length;
  }

  @Get('page') @Render('imports') page() {
    return {};
  }

  @All('proxy') proxy(@Req() request: LedgerRequest) {
    return request.method;
  }
}
