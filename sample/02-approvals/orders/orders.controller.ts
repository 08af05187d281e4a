import { randomUUID } from 'node:crypto';
import { Body, ConflictException, Controller, Get, NotFoundException, Param, Post, UseGuards } from '@nestjs/common';
import { IdempotencyKey, Operation } from 'nestjs-palette';
import { StaffGuard } from '../staff/staff.guard.js';
import { Payments, type Payment } from './payments.js';
import { RefundDto } from './refund.dto.js';

/** Refunds above this, in euros, wait for a person when an agent asks for them. */
const FREE_UP_TO = 50;

const TOTALS: Readonly<Record<string, number>> = { 'A-1': 80, 'A-2': 240, 'A-3': 1_900 };

@Controller('orders')
@UseGuards(StaffGuard)
export class OrdersController {
  constructor(private readonly payments: Payments) {}

  @Operation({ kind: 'query', description: 'Look an order up: what it came to, and what went back.' })
  @Get(':order')
  look(@Param('order') order: string): { readonly order: string; readonly total: number; readonly refunded: number } {
    return { order, total: totalOf(order), refunded: this.#refunded(order) };
  }

  @Operation({
    description: 'Pay money back for an order, in euros.',
    approval: ({ amount }) => (Number(amount) > FREE_UP_TO ? `More than ${FREE_UP_TO} euros go back.` : false),
  })
  @Post(':order/refunds')
  refund(@Param('order') order: string, @Body() { amount }: RefundDto, @IdempotencyKey() key = randomUUID()): Payment {
    if (this.#refunded(order) + amount > totalOf(order)) {
      throw new ConflictException(`Not more than ${totalOf(order)} euros can go back for ${order}.`);
    }
    this.payments.payBack(key, { order, amount });
    return { order, amount };
  }

  #refunded(wanted: string): number {
    const payments = this.payments.paid.filter(({ order }) => order === wanted);
    return payments.reduce((sum, { amount }) => sum + amount, 0);
  }
}

function totalOf(order: string): number {
  const total = Object.hasOwn(TOTALS, order) ? TOTALS[order] : undefined;
  if (total === undefined) throw new NotFoundException(`There is no order ${order}.`);
  return total;
}
