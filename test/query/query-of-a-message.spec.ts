import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { IsInt, IsString } from 'class-validator';
import { AggregateQueryBody, ListQueryBody, Operation, PaletteBootError, QueryPolicy } from 'nestjs-palette';
import type { AggregateQuery, ListQuery } from 'nestjs-palette';
import { declaredInputs } from '../../lib/operations/index.js';
import type { QueryInput } from '../../lib/query/index.js';
import { PLATFORMS, closeApplications } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

@QueryPolicy({ filterable: ['title'] })
class SongRead {
  @IsInt() id!: number;
  @IsString() title!: string;
}

class RenameDto {
  @IsString() title!: string;
}

let seen: unknown[] = [];

@Controller()
class MessagesController {
  @QueryPolicy<SongRead>({ filterable: { title: ['$eq'] } })
  @Operation({ kind: 'query' })
  @MessagePattern('songs.list')
  list(@ListQueryBody(SongRead) query: ListQuery<SongRead>): unknown {
    seen.push(query.filter);
    return [];
  }

  @Operation({ kind: 'query' })
  @MessagePattern('songs.totals')
  totals(@AggregateQueryBody(SongRead) query: AggregateQuery<SongRead>): unknown {
    seen.push(query.filter);
    return [];
  }
}

/** No operation of it answers a message: its messages would be answered with everything all the same. */
@Controller('songs')
class BothWaysController {
  @Operation({ kind: 'query' })
  @Post('list')
  @MessagePattern('songs.list')
  list(@ListQueryBody(SongRead) query: ListQuery<SongRead>): unknown {
    return query.sorts;
  }

  @EventPattern('songs.heard')
  heard(@ListQueryBody(SongRead) query: ListQuery<SongRead>): void {
    seen.push(query);
  }
}

/** The repair: the query over a route, the message without one. */
@Controller('songs')
class RepairedController {
  @QueryPolicy<SongRead>({ filterable: { title: ['$eq'] } })
  @Operation({ name: 'songs.list', kind: 'query' })
  @Post('list')
  list(@ListQueryBody(SongRead) query: ListQuery<SongRead>): unknown {
    seen.push(query.filter);
    return [];
  }

  @Operation({ name: 'songs.totals', kind: 'query' })
  @Post('totals')
  totals(@AggregateQueryBody(SongRead) query: AggregateQuery<SongRead>): unknown {
    seen.push(query.filter);
    return [];
  }

  @Operation({ name: 'songs.rename' })
  @MessagePattern('songs.rename')
  rename(@Payload() { title }: RenameDto): unknown {
    return { title };
  }
}

describe.each(PLATFORMS)('a query of a message beside %s', (platform) => {
  beforeEach(() => {
    seen = [];
  });
  afterEach(closeApplications);

  const boot = (controller: new () => object) =>
    bootDispatching(platform, { controllers: [controller] }, { configure: connectMessageService });

  it.each([
    [MessagesController, ['MessagesController.list', 'MessagesController.totals']],
    [BothWaysController, ['BothWaysController.list', 'BothWaysController.heard']],
  ])('does not boot: %p', async (controller, places) => {
    const error = await catchError(() => boot(controller));
    expect(error).toBeInstanceOf(PaletteBootError);
    const faults = (error as PaletteBootError).faults.filter(({ code }) => code === 'query_needs_http');
    expect(faults.map(({ message }) => message)).toEqual(
      places.map((place): unknown =>
        expect.stringMatching(new RegExp(`^${place} takes a query of SongRead from a message .*an HTTP route`)),
      ),
    );
  });

  it('boots as a route, which gets the filters, beside a message without a query', async () => {
    const { call } = await boot(RepairedController);
    const filters = { $values: { title: 'Ode' } };
    const matchesTitle = { type: 'comparison', field: { name: 'title' }, operator: '$eq', operand: 'Ode' };
    expect(await call('songs__list', { filters })).toMatchObject({ isError: false });
    expect(await call('songs__totals', { filters, $computed: { n: { $count: null } } })).toMatchObject({
      isError: false,
    });
    expect(seen).toMatchObject([matchesTitle, matchesTitle]);
    expect(await call('songs__rename', { title: 'Ode' })).toMatchObject({ isError: false, content: { title: 'Ode' } });
  });
});

describe('a query of what is no HTTP request', () => {
  it.each(['rpc', 'ws', 'graphql'])('is not bound: %s', (type) => {
    const { prototype } = MessagesController;
    const input = [...declaredInputs(prototype, 'list').values()][0] as QueryInput;
    const payload = { filters: { $values: { title: 'Ode' } } };
    const context = new ExecutionContextHost([payload], MessagesController, prototype.list as () => unknown);
    context.setType(type);
    const refused = expect.objectContaining({ name: 'PaletteBootError', code: 'query_needs_http' });
    expect(() => input.bind(context)).toThrow(refused as unknown as Error);
    context.setType('http');
    expect(input.bind(context)).toMatchObject({ form: 'list' });
  });
});
