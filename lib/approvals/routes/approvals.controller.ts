import {
  Body,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Param,
  Post,
  Query,
  Req,
  UseGuards,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { PaletteError, toHttpException, type CallerContext, type Principal } from '../../common/index.js';
import { Caller } from '../../dispatch/index.js';
import { ApprovalError } from '../approval-error.js';
import { ApprovalsService } from '../approvals.service.js';
import { ApprovalPeople } from '../decisions/approval-people.js';
import type { DecisionAnswer } from '../decisions/decision-answer.js';
import type { ApprovalHistory } from '../decisions/approval-history.js';
import type { ApprovalPage, ApprovalRecord, CallRecord } from '../ledger/index.js';
import { JsonBodyGuard } from './json-body.guard.js';
import { readCallReference, readDecision, readListQuery } from './read-requests.js';

/** The routes of approvals: an ordinary controller under the application's own prefix, versions, guards and filters. */
@Injectable()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly people: ApprovalPeople,
  ) {}

  @Get()
  list(@Query() query: unknown, @Caller() caller: CallerContext, @Req() request: object): Promise<ApprovalPage> {
    return this.#as(caller, request, (by) => {
      const { filter, page } = readListQuery(query);
      return this.approvals.list(by, filter, page);
    });
  }

  /** Before the routes of one approval, whose id it would be. */
  @Get('unknown-calls')
  async unknownCalls(
    @Caller() caller: CallerContext,
    @Req() request: object,
  ): Promise<{ readonly calls: readonly CallRecord[] }> {
    return { calls: await this.#as(caller, request, (by) => this.approvals.unknownCalls(by)) };
  }

  @Post('unknown-calls/acknowledge')
  @UseGuards(JsonBodyGuard)
  @HttpCode(204)
  acknowledge(@Body() body: unknown, @Caller() caller: CallerContext, @Req() request: object): Promise<void> {
    return this.#as(caller, request, (by) => {
      const { conversationId, callId } = readCallReference(body);
      return this.approvals.acknowledge(by, conversationId, callId);
    });
  }

  @Get(':approvalId')
  get(
    @Param('approvalId') approvalId: string,
    @Caller() caller: CallerContext,
    @Req() request: object,
  ): Promise<ApprovalRecord> {
    return this.#as(caller, request, (by) => this.approvals.get(by, approvalId));
  }

  @Get(':approvalId/history')
  history(
    @Param('approvalId') approvalId: string,
    @Caller() caller: CallerContext,
    @Req() request: object,
  ): Promise<ApprovalHistory> {
    return this.#as(caller, request, (by) => this.approvals.history(by, approvalId));
  }

  @Post(':approvalId/decision')
  @UseGuards(JsonBodyGuard)
  @HttpCode(200)
  decide(
    @Param('approvalId') approvalId: string,
    @Body() body: unknown,
    @Caller() caller: CallerContext,
    @Req() request: object,
  ): Promise<DecisionAnswer> {
    return this.#as(caller, request, (by) => this.approvals.decide(by, approvalId, readDecision(body)));
  }

  /** Refusals leave as exceptions of Nest, for the application's own filters. */
  async #as<T>(caller: CallerContext, request: object, act: (by: Principal) => Promise<T>): Promise<T> {
    try {
      const by = await this.people.principalOf(caller, request);
      if (by === undefined) throw new ApprovalError('approval_principal_missing');
      return await act(by);
    } catch (error) {
      throw PaletteError.isInstance(error) ? toHttpException(error) : error;
    }
  }
}

export interface ApprovalsRoutes {
  /** Where the routes are. Default: `approvals`. */
  readonly path?: string;
  /** The version of the routes, where the application has versions. Default: the application's default. */
  readonly version?: string | symbol | (string | symbol)[];
  /** Guards of the routes, besides the application's global ones. Their dependencies come from `imports`. Default: none. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
}

/** A class of its own for each application: one application's guards and path are not another's. */
export function approvalsController({ path = 'approvals', version, guards = [] }: ApprovalsRoutes): Type {
  @Controller({ path, ...(version === undefined ? {} : { version: version as string }) })
  @UseGuards(...(guards as Type<CanActivate>[]))
  class RoutedApprovalsController extends ApprovalsController {}
  return RoutedApprovalsController;
}
