import {
  Body,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Put,
  Query,
  UsePipes,
  ValidationPipe,
  type Type,
} from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Operation } from 'nestjs-palette';
import { CountDto, PageParamsDto, TenantDto } from './dtos.js';
import { RowIdPipe, SourceTypesPipe } from './pipes.js';

export interface Row {
  readonly id: string;
}

/** The operations of every resource, over types that only TypeScript knows. */
@ApiResponse({ status: HttpStatus.UNAUTHORIZED, description: 'Unauthorized' })
@ApiBearerAuth()
export abstract class CrudController<T extends Row> {
  @Operation()
  @ApiOperation({ summary: 'Count rows' })
  @Get('count')
  count(@Query() options?: CountDto): unknown {
    return { count: 2, ...options };
  }

  @Operation()
  @ApiOperation({ summary: 'List rows by pages' })
  @Get()
  @UsePipes(new ValidationPipe({ transform: true }))
  list(@Query() params: PageParamsDto<T>): unknown {
    return { items: [], ...params };
  }

  @Operation()
  @ApiOperation({ summary: 'Read a row' })
  @Get(':id')
  read(@Param('id', RowIdPipe) id: T['id'], ..._options: unknown[]): unknown {
    return { id };
  }

  @Operation()
  @ApiOperation({ summary: 'Create a row' })
  @HttpCode(HttpStatus.CREATED)
  @Post()
  create(@Body() entity: Partial<T>, ..._options: unknown[]): unknown {
    return entity;
  }

  @Operation()
  @ApiOperation({ summary: 'Update a row' })
  @HttpCode(HttpStatus.ACCEPTED)
  @Put(':id')
  update(@Param('id', RowIdPipe) id: string, @Body() entity: Partial<T>, ..._options: unknown[]): unknown {
    return { id, ...entity };
  }

  @Operation()
  @ApiOperation({ summary: 'Put a row away' })
  @HttpCode(HttpStatus.ACCEPTED)
  @UsePipes(new SourceTypesPipe({ whitelist: true }, { query: TenantDto }))
  @Delete(':id/soft')
  softRemove(@Param('id', RowIdPipe) id: T['id'], @Query() tenant: unknown): unknown {
    return { id, tenant };
  }
}

/** A controller over classes: its pipe knows them, its parameters do not. */
export function resourceController<T extends Row>(createType: Type, updateType: Type): Type<CrudController<T>> {
  abstract class ResourceController extends CrudController<T> {
    @Operation()
    @ApiOperation({ summary: 'Create a row' })
    @Post()
    @UsePipes(new SourceTypesPipe({ whitelist: true, transform: true }, { body: createType }))
    override create(@Body() entity: Partial<T>): unknown {
      return entity;
    }

    @Operation()
    @ApiOperation({ summary: 'Update a row' })
    @HttpCode(HttpStatus.ACCEPTED)
    @Put(':id')
    @UsePipes(new SourceTypesPipe({ whitelist: true, transform: true }, { body: updateType }))
    override update(@Param('id', RowIdPipe) id: string, @Body() entity: Partial<T>): unknown {
      return { id, ...entity };
    }
  }
  return ResourceController as unknown as Type<CrudController<T>>;
}
