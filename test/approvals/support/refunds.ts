import { Body, Controller, Get, Param, Post, Put, UseGuards } from '@nestjs/common';
import { IsInt, IsObject, IsOptional, IsString, Min } from 'class-validator';
import { IdempotencyKey, Operation } from 'nestjs-palette';
import { TokenGuard } from './people.js';

/** What handlers did, in order; a refusal leaves it as it was. */
export const done: { what: string; input: unknown; key: string | undefined }[] = [];

/** What a handler waits for, or fails with, before it is done. */
export const hold: { until?: Promise<unknown> | undefined; fail?: boolean | undefined } = {};

async function act(what: string, input: unknown, key: string | undefined): Promise<unknown> {
  done.push({ what, input, key });
  await hold.until;
  if (hold.fail) throw new Error('the payment service hung up');
  return { what, input };
}

export class RefundDto {
  @IsString() order!: string;
  @IsInt() @Min(1) amount!: number;
  @IsOptional() @IsObject() note?: object;
}

export class LimitDto {
  @IsInt() limit!: number;
}

@Controller('refunds')
@UseGuards(TokenGuard)
export class RefundsController {
  @Operation({ description: 'Pay a refund.', approval: 'moves money' })
  @Post()
  pay(@Body() refund: RefundDto, @IdempotencyKey() key: string | undefined): unknown {
    return act('pay', { ...refund }, key);
  }

  @Operation({
    description: 'Pay a refund; small ones at once.',
    approval: ({ amount }) => (Number(amount) > 100 ? 'more than 100' : false),
  })
  @Post('graded')
  graded(@Body() refund: RefundDto, @IdempotencyKey() key: string | undefined): unknown {
    return act('graded', { ...refund }, key);
  }

  @Operation({ description: 'Set the limit of an order.', approval: 'changes a limit' })
  @Put(':order/limit')
  limit(@Param('order') order: string, @Body() { limit }: LimitDto, @IdempotencyKey() key?: string): unknown {
    return act('limit', { order, limit }, key);
  }

  @Operation({ description: 'Look a refund up.' })
  @Get(':order')
  look(@Param('order') order: string): unknown {
    return act('look', { order }, undefined);
  }
}
