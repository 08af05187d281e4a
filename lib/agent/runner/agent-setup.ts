import { Inject, Injectable, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import { ApprovalsService, InMemoryAgentStore, type AgentStore } from '../../approvals/index.js';
import { BootFaults, MAX_TIMER_MS } from '../../common/index.js';
import { GenAiTelemetry, readTelemetryOptions } from '../../telemetry/index.js';
import { AgentGraph } from '../definition/index.js';
import { inRange, resolveLimits, type RunSetup } from '../run/index.js';
import { MODULE_OPTIONS_TOKEN } from './agent.module-definition.js';
import type { AgentModuleOptions } from './agent.options.js';

/** The module's options, checked: what can be is checked when it is made, the rest when the palettes are known. */
@Injectable()
export class AgentSetup implements OnApplicationBootstrap {
  readonly store: AgentStore;
  readonly run: RunSetup;
  readonly sweepIntervalMs: number;
  readonly sweepConcurrency: number;
  readonly shutdownGraceMs: number;

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) readonly options: AgentModuleOptions,
    @Optional() readonly approvals?: ApprovalsService,
  ) {
    const faults = new BootFaults();
    const { agents, entries = agents.slice(0, 1).map(({ name }) => name) } = options;
    this.store = options.store ?? approvals?.store ?? new InMemoryAgentStore();
    this.run = {
      graph: new AgentGraph(agents, entries, faults),
      limits: resolveLimits(options, faults),
      telemetry: new GenAiTelemetry(readTelemetryOptions(options.telemetry ?? {}, faults)),
    };
    this.sweepIntervalMs = options.sweepIntervalMs ?? 5_000;
    this.sweepConcurrency = options.sweepConcurrency ?? 4;
    this.shutdownGraceMs = options.shutdownGraceMs ?? 10_000;
    this.#checkStore(faults);
    inRange(faults, 'sweepIntervalMs', this.sweepIntervalMs, 0, MAX_TIMER_MS);
    inRange(faults, 'sweepConcurrency', this.sweepConcurrency, 1, 1_000);
    inRange(faults, 'shutdownGraceMs', this.shutdownGraceMs, 0, MAX_TIMER_MS);
    faults.throwIfAny();
  }

  /** @throws PaletteBootError `agent_tool_collision`, `agent_gate_missing` */
  onApplicationBootstrap(): void {
    const faults = new BootFaults();
    this.run.graph.checkTools(faults);
    if (this.approvals === undefined) this.run.graph.checkGates(faults);
    faults.throwIfAny();
  }

  #checkStore(faults: BootFaults): void {
    if (this.approvals === undefined || this.approvals.store === this.store) return;
    const what = 'is not that of ApprovalsModule: decisions would not reach the runs';
    faults.add('agent_options_invalid', { key: 'store', what });
  }
}
