import { Controller, ForbiddenException, Get, NotFoundException, Param, UseGuards } from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import { CustomerGuard } from '../customers/customer.guard.js';
import { WhichCustomer } from '../customers/customer.decorator.js';
import type { Customer } from '../customers/customers.js';

export interface Order {
  readonly id: string;
  readonly of: Customer;
  readonly what: string;
  readonly state: 'packed' | 'shipped' | 'delivered';
}

const ORDERS: readonly Order[] = [
  { id: 'o-1', of: 'ann', what: 'a lamp', state: 'shipped' },
  { id: 'o-2', of: 'ann', what: 'two chairs', state: 'packed' },
  { id: 'o-3', of: 'bob', what: 'a kettle', state: 'delivered' },
];

@Controller('orders')
@UseGuards(CustomerGuard)
export class OrdersController {
  @Operation({ description: 'The orders of the customer, and where they are.' })
  @Get()
  list(@WhichCustomer() customer: Customer): readonly Order[] {
    return ORDERS.filter(({ of }) => of === customer);
  }

  @Operation({ description: 'One order, by its id.' })
  @Get(':id')
  look(@Param('id') id: string, @WhichCustomer() customer: Customer): Order {
    const order = ORDERS.find((each) => each.id === id);
    if (order === undefined) throw new NotFoundException('There is no such order.');
    if (order.of !== customer) throw new ForbiddenException('That is the order of somebody else.');
    return order;
  }
}
