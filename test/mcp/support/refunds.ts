import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  ApprovalsModule,
  ApprovalsService,
  Operation,
  publicApprovals,
  type ApprovalRecord,
  type ApprovalsModuleOptions,
  type CallerContext,
} from 'nestjs-palette';
import type { McpModuleOptions } from 'nestjs-palette/mcp';
import type { Platform } from '../../support/application.js';
import { serve, type ServedApplication } from './applications.js';

/** What was paid back, in the order in which it was. */
export const paid: number[] = [];

class RefundDto {
  @IsInt() amount!: number;
  @IsOptional() @IsString() note?: string;
}

@Controller('orders')
export class OrdersController {
  @Operation({ description: 'Pays money back.', approval: 'pays money back' })
  @Post('refund')
  @HttpCode(200)
  refund(@Body() { amount }: RefundDto): unknown {
    paid.push(amount);
    return { refunded: amount };
  }
}

/** `Bearer ada` is Ada. */
export function principal({ headers }: CallerContext) {
  const [, subject] = (headers['authorization'] ?? '').split(' ');
  return subject === undefined ? undefined : { subject };
}

export const as = (user: string) => ({ authorization: `Bearer ${user}` });

export const BEN = { subject: 'ben' };

/** An application whose refunds need an approval, and are proposed when a client calls them. */
export function serveRefunds(
  platform: Platform,
  approvals: Partial<ApprovalsModuleOptions> = {},
  mcp: Partial<McpModuleOptions> = {},
): Promise<ServedApplication> {
  const options = { authorizer: publicApprovals(), principal, proposeUnasked: true, ...approvals };
  return serve(platform, { imports: [ApprovalsModule.forRoot(options)], controllers: [OrdersController] }, { mcp });
}

export function approvalsOf(app: ServedApplication['app']): ApprovalsService {
  return app.get(ApprovalsService, { strict: false });
}

/** All approvals of the application, as Ben sees them, oldest first. */
export async function allApprovals(app: ServedApplication['app']): Promise<readonly ApprovalRecord[]> {
  return (await approvalsOf(app).list(BEN)).approvals;
}

/** Ben decides about the one approval that waits. @returns its id */
export async function decide(app: ServedApplication['app'], verdict: 'approve' | 'deny'): Promise<string> {
  const [pending, ...more] = (await allApprovals(app)).filter(({ state }) => state === 'pending');
  if (pending === undefined || more.length > 0) throw new Error(`${more.length} more approvals are pending`);
  const { approvalId, argumentsHash } = pending;
  await approvalsOf(app).decide(BEN, approvalId, { verdict, argumentsHash });
  return approvalId;
}
