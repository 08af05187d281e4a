import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Customer, CustomerRequest } from './customers.js';

/** Whom the guard found. */
export const WhichCustomer = createParamDecorator((_data: unknown, context: ExecutionContext): Customer => {
  const { customer } = context.switchToHttp().getRequest<CustomerRequest>();
  return customer as Customer;
});
