import {
  Controller,
  ForbiddenException,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import { CustomerGuard } from '../customers/customer.guard.js';
import { WhichCustomer } from '../customers/customer.decorator.js';
import type { Customer } from '../customers/customers.js';

export interface Invoice {
  readonly id: string;
  readonly of: Customer;
  readonly order: string;
  /** In cents. */
  readonly amount: number;
  readonly isPaid: boolean;
}

const INVOICES: readonly Invoice[] = [
  { id: 'i-1', of: 'ann', order: 'o-1', amount: 4_900, isPaid: true },
  { id: 'i-2', of: 'ann', order: 'o-2', amount: 12_000, isPaid: false },
  { id: 'i-3', of: 'bob', order: 'o-3', amount: 3_500, isPaid: false },
];

@Controller('invoices')
@UseGuards(CustomerGuard)
export class InvoicesController {
  @Operation({ description: 'The invoices of the customer, and whether they are paid. Amounts are in cents.' })
  @Get()
  list(@WhichCustomer() customer: Customer): readonly Invoice[] {
    return INVOICES.filter(({ of }) => of === customer);
  }

  @Operation({ description: 'Send the customer a copy of an invoice.', annotations: { idempotent: true } })
  @Post(':id/copies')
  @HttpCode(200)
  copy(@Param('id') id: string, @WhichCustomer() customer: Customer): { readonly sent: string } {
    const invoice = INVOICES.find((each) => each.id === id);
    if (invoice === undefined) throw new NotFoundException('There is no such invoice.');
    if (invoice.of !== customer) throw new ForbiddenException('That is the invoice of somebody else.');
    return { sent: id };
  }
}
