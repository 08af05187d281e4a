import { Module } from '@nestjs/common';
import { BootFaults } from '../common/index.js';
import { ApprovalDrafts } from './approval-drafts.js';
import { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } from './approvals.module-definition.js';
import { ApprovalsService } from './approvals.service.js';
import { ApprovalPeople } from './decisions/approval-people.js';
import { EditedArguments } from './decisions/edited-arguments.js';
import { RequesterDecisions } from './decisions/requester-decisions.js';
import { ApprovalEvents } from './events/approval-events.js';
import { ExpirySweeper } from './expiry-sweeper.js';
import { ApprovalKeeper } from './keeper/approval-keeper.js';
import { OwnCalls } from './keeper/own-calls.js';
import type { AgentStore } from './ledger/index.js';
import { InMemoryAgentStore } from './memory/index.js';
import {
  APPROVALS_OPTIONS,
  APPROVALS_STORE,
  type ApprovalsModuleOptions,
  type ResolvedApprovalsOptions,
} from './options/approvals.options.js';
import { resolveApprovalsOptions } from './options/resolve-options.js';

/**
 * Keeps approvals: gated calls wait for a person, and then run once. Import `forRoot` (or `forRootAsync`) once, beside
 * `OperationsModule.forRoot`.
 *
 * @throws PaletteBootError `approval_authorizer_missing`, `approvals_options_invalid`; all faults at once, while the
 *   application boots
 */
@Module({
  providers: [
    {
      provide: APPROVALS_OPTIONS,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: ApprovalsModuleOptions): ResolvedApprovalsOptions => {
        const faults = new BootFaults();
        const resolved = resolveApprovalsOptions(options, faults);
        faults.throwIfAny();
        return resolved;
      },
    },
    {
      provide: APPROVALS_STORE,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ store }: ApprovalsModuleOptions): AgentStore => store ?? new InMemoryAgentStore(),
    },
    ApprovalDrafts,
    ApprovalEvents,
    ApprovalPeople,
    EditedArguments,
    OwnCalls,
    ApprovalKeeper,
    ApprovalsService,
    RequesterDecisions,
    ExpirySweeper,
  ],
  exports: [ApprovalDrafts, ApprovalEvents, EditedArguments, ApprovalsService, RequesterDecisions],
})
export class ApprovalsModule extends ConfigurableModuleClass {}
