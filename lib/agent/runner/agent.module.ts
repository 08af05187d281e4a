import { Module } from '@nestjs/common';
import { AgentRunner } from './agent-runner.js';
import { AgentSetup } from './agent-setup.js';
import { ConfigurableModuleClass } from './agent.module-definition.js';
import { FunctionToolEdits } from './function-tool-edits.js';
import { RunSweeper } from './run-sweeper.js';

/**
 * Runs agents: inject `AgentRunner`. Import `forRoot` (or `forRootAsync`, where models and palettes are injected) once, beside
 * `OperationsModule.forRoot`; with `ApprovalsModule.forRoot` tools may need a person's approval.
 *
 * @throws PaletteBootError `agent_...`, `handoff_unknown`, `agent_gate_missing`, `telemetry_options_invalid`, while the
 *   application boots
 */
@Module({
  providers: [AgentSetup, AgentRunner, RunSweeper, FunctionToolEdits],
  exports: [AgentRunner],
})
export class AgentModule extends ConfigurableModuleClass {}
