import { Controller, ForbiddenException, Get, Injectable, Param, Req, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Operation, type Principal } from 'nestjs-palette';
import { TokenGuard } from '../../../approvals/support/people.js';

interface InvoiceRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: { readonly invoice: string };
  readonly user: Principal;
}

/** An invoice is its owner's: `ann-1` is of ann. */
@Injectable()
export class OwnInvoiceGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params, user } = context.switchToHttp().getRequest<InvoiceRequest>();
    if (!params.invoice.startsWith(`${user.subject}-`)) throw new ForbiddenException('not one of yours');
    return true;
  }
}

@Controller('invoices')
@UseGuards(TokenGuard, OwnInvoiceGuard)
export class InvoicesController {
  @Operation({ description: 'Look an invoice up.' })
  @Get(':invoice')
  look(@Param('invoice') invoice: string, @Req() { headers, user }: InvoiceRequest): unknown {
    return { invoice, of: user.subject, authorization: headers['authorization'], trace: headers['x-trace'] };
  }
}
